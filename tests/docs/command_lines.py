"""The command lines of hypermile in the blocks of code of our pages."""

import dataclasses
import glob
import os
import re
import shlex

import blocks

# What is no shell.
OTHER = {"c", "cmake", "fortran", "json", "lua", "mermaid", "python", "text", "yaml"}
ENDS = {"|", "||", "&", "&&", ";", "(", ")", "<", ">", ">>", "2>", "<<"}


@dataclasses.dataclass(frozen=True)
class Line:
    page: str
    line: int
    arguments: tuple  # after "hypermile"

    def __str__(self):
        return f"{self.page}:{self.line}: hypermile {shlex.join(self.arguments)}"


def pages(source):
    """Paths of all pages, from the folder of the source."""
    found = ["README.md", "CONTRIBUTING.md", "apps/README.md"]
    return found + sorted(glob.glob("docs/*.md", root_dir=source)) + sorted(glob.glob("docs/*/*.md", root_dir=source))


def logical_lines(block):
    """(line, text), with continued lines as one, and without prompts. Of a console only what is typed."""
    typed = block.language == "console" or any(line.startswith("$ ") for line in block.lines)
    number = 0
    while number < len(block.lines):
        first, text = number, block.lines[number]
        while text.endswith("\\") and number + 1 < len(block.lines):
            number += 1
            text = text[:-1] + " " + block.lines[number].lstrip()
        number += 1
        if not typed:
            yield block.line + first, text
        elif text.startswith("$ "):
            yield block.line + first, text[2:]


def calls(text):
    """The arguments of each call of hypermile in a line for the shell, also within $(...)."""
    words = shlex.shlex(re.sub(r"\$\(", "( ", text).replace('"(', "( ").replace('#!', '#'), posix=True,
                        punctuation_chars="();<>|&")
    words.whitespace_split = True
    try:
        words = list(words)
    except ValueError:  # a quote that ends on another line, or an apostrophe: no call
        return
    for index, word in enumerate(words):
        before = words[index - 1] if index else ";"
        after = words[index + 1] if index + 1 < len(words) else ""
        if os.path.basename(word) == "hypermile" != after and not before.startswith("-") and (
                before in ENDS or "=" in before or any(os.path.basename(w) in STARTERS for w in words[:index])):
            end = next((i for i in range(index + 1, len(words)) if words[i] in ENDS), len(words))
            yield tuple(words[index + 1:end])


# Commands that start another one.
STARTERS = {"srun", "mpirun", "exec", "sudo", "env", "apptainer", "podman", "time"}


def lines_of(page, text):
    for block in blocks.blocks(text):
        if block.language not in OTHER:
            for number, line in logical_lines(block):
                for arguments in calls(line):
                    yield Line(page, number, arguments)


def all_lines(source):
    found = []
    for page in pages(source):
        with open(os.path.join(source, page)) as file:
            found += lines_of(page, file.read())
    return found
