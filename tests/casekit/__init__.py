"""Runs the public failures in `tests/cases/` against the product (their README says what the words mean).

cases.py       case.json -> Request values, one for each request
build.py       the repository of a case, made once
ask.py         a request -> what the product answered
facts.py       what an `expect` demands of an answer: one checker for each of its keys
entries.py     headings, symbols and keys, out of the `entries` of an answer
search.py      what is demanded of searches, diffs and checks of pointers
processes.py   what is demanded of commands and sessions: codes, streams, time, memory
invariants.py  properties over many requests
waiting.py     what the product can do by now, and what each other request waits for
"""
