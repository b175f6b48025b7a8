"""What changed between two revisions, within a budget (CONTRACT section 7).

patch.py     what git printed -> changed files with their hunks
words.py     what kind of change it is, in words: mode, link, binary, white space ...
utf16.py     files that git takes for binary, by their lines
entries.py   two outlines -> entries added, removed, changed, renamed
blocks.py    one changed file at one level of detail, as text
fit.py       every file at some level, in one order, within a budget
diff.py      a request -> an answer
note.py      the words of a note about changed entries
since.py     the same for a read that says what its reader has seen
"""
