"""The blocks of code in a page of Markdown, and the commands in them."""

import dataclasses
import re

FENCE = re.compile(r"^( *)(```+)\s*([\w-]*)")


@dataclasses.dataclass
class Block:
    line: int  # of its first line of code, from 1
    language: str  # "": none is given, or the block is indented
    lines: list

    @property
    def text(self):
        return "".join(line + "\n" for line in self.lines)


def blocks(text):
    """In the order of the page: fenced ones, and those that are indented by at least 4 spaces after an empty line."""
    found, lines, number = [], text.splitlines(), 0
    while number < len(lines):
        fence = FENCE.match(lines[number])
        if fence:
            indent, marks, language = fence.groups()
            end = next(i for i in range(number + 1, len(lines) + 1)
                       if i == len(lines) or lines[i].strip() == marks)
            found.append(Block(number + 2, language, [line[len(indent):] for line in lines[number + 1:end]]))
            number = end + 1
        elif lines[number].startswith("    ") and (number == 0 or not lines[number - 1].strip()):
            end = number
            while end < len(lines) and (not lines[end].strip() or lines[end].startswith("    ")):
                end += 1
            code = [line[4:] for line in lines[number:end]]
            while not code[-1].strip():
                code.pop()
            found.append(Block(number + 1, "", code))
            number = end
        else:
            number += 1
    return found


@dataclasses.dataclass
class Step:
    line: int
    command: str
    output: list


def steps(block):
    """The commands of a console block, which begin with "$ ", each with what is printed below it."""
    found = []
    for offset, line in enumerate(block.lines):
        if line.startswith("$ "):
            found.append(Step(block.line + offset, line[2:], []))
        elif found:
            found[-1].output.append(line)
    return found
