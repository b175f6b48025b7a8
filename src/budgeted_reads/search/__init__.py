"""Search over the trees of a node: exact for patterns, ranked for questions, snippets within a budget (CONTRACT 6).

request   words of a caller -> Query           scope    trees, paths and globs -> the files to look at
pattern   query -> what matches a line         exact    files -> matching lines, candidates by git grep
words     text -> terms                        index    terms of every entry, by blob; behind it `engine`
ranked    question -> entries, best first      page     hits -> what fits, finest first
"""
