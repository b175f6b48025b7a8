# Definitions of the Ruby files named on standard input, by Ruby's own parser: path, name, first and last line.
def walk(path, node)
  return unless node.is_a?(RubyVM::AbstractSyntaxTree::Node)
  name = case node.type
         when :DEFN then node.children[0].to_s
         when :DEFS then node.children[1].to_s
         when :CLASS, :MODULE then node.children[0].children[-1].to_s
         end
  puts [path, name, node.first_lineno, node.last_lineno].join("\t") if name
  node.children.each { |child| walk(path, child) }
end

$stdin.each_line(chomp: true) do |path|
  walk(path, RubyVM::AbstractSyntaxTree.parse_file(path))
rescue SyntaxError
  puts [path, "", 0, 0].join("\t")
end
