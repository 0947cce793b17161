"""The tables of contents of the site. docs/README.md lists all pages, in order, as plain Markdown."""

import os
import re

OVERVIEW = "docs/README"
COMMANDS = "docs/command-line"  # the pages that commands.py makes come below it
PART = re.compile(r"^## (.+)$")
ENTRY = re.compile(r"^- \[(.+?)\]\(([^)#]+)\.md\)")


def table(pages, caption=""):
    """A list of (title, page) as a table of contents that is not shown in the text."""
    options = ":hidden:\n" + (f":caption: {caption}\n" if caption else "")
    entries = "".join(f"{title} </{page}>\n" for title, page in pages)
    return f"\n\n```{{toctree}}\n{options}\n{entries}```\n"


def parts(text):
    """The parts of the overview: (name, [(title, page), ...]), pages without their ending."""
    found = []
    for line in text.splitlines():
        if part := PART.match(line):
            found.append((part.group(1), []))
        elif entry := ENTRY.match(line):
            page = os.path.normpath(os.path.join(os.path.dirname(OVERVIEW), entry.group(2)))
            found[-1][1].append((entry.group(1), page))
    return [part for part in found if part[1]]


def of_the_site(root):
    with open(os.path.join(root, OVERVIEW + ".md")) as file:
        overview = table([("All pages", OVERVIEW)])
        return overview + "".join(table(pages, part) for part, pages in parts(file.read()))


def below(root, page):
    """A page x.md is followed by those of the folder x, which nothing else lists."""
    if page == COMMANDS:
        return table([("hypermile", "commands/hypermile")])
    folder = os.path.join(root, page)
    if not os.path.isdir(folder):
        return ""
    names = sorted(name[:-3] for name in os.listdir(folder) if name.endswith(".md"))
    return table([(title_of(os.path.join(folder, name + ".md")), f"{page}/{name}") for name in names]) if names else ""


def title_of(file):
    with open(file) as lines:
        return next(line for line in lines if line.startswith("# "))[2:].strip()
