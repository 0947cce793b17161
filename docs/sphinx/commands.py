"""The pages of all commands as Markdown, from the pages for man(1) that the command writes itself."""

import os
import re
import subprocess
import tempfile

from contents import table

ROOT = "hypermile"


def write_pages(command, folder):
    """A page for each command, which has those below it as well: "hypermile-platform.md" has "platform show"."""
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([command, "manual", "--all", "-o", scratch], check=True)
        manual = {name[:-2]: read(os.path.join(scratch, name)) for name in sorted(os.listdir(scratch))}
    pages = {name: page_of(name, manual) for name in manual}
    for page in sorted(set(pages.values())):
        text = "\n".join(markdown(name, manual, pages) for name in manual if pages[name] == page)
        if page == ROOT:
            text += table([(title(name, manual), f"commands/{name}") for name in sorted(set(pages.values()) - {ROOT})])
        with open(os.path.join(folder, page + ".md"), "w") as file:
            file.write(text)


def read(file):
    with open(file) as stream:
        return stream.read()


def above(name, names):
    """The command that this one belongs to: of "hypermile-platform-show", "hypermile-platform"."""
    while "-" in name:
        name = name.rpartition("-")[0]
        if name in names:
            return name
    return ""


def page_of(name, names):
    while above(name, names) not in ("", ROOT):
        name = above(name, names)
    return name


def title(name, names):
    """Of "hypermile-platform-show" it is "hypermile platform show"; "hypermile-calibrate-power" is one command."""
    parent = above(name, names)
    return f"{title(parent, names)} {name[len(parent) + 1:]}" if parent else name


def plain(text):
    """Without roff's own characters."""
    text = re.sub(r"\\f[A-Z]", "", text)
    return text.replace("\\&", "").replace("\\-", "-").replace("\\e", "\\")


def markdown(name, manual, pages):
    text = Section(name, manual, pages)
    for line in manual[name].splitlines():
        text.add(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(text.lines)) + "\n"


class Section:
    """What a page for man(1) says. It reads the macros that src/cli/manual.cpp writes, and no others."""

    def __init__(self, name, names, pages):
        self.name, self.pages = name, pages
        self.level = "#" if pages[name] == name else "##"
        self.lines = [f"{self.level} {title(name, names)}", ""]
        self.verbatim = False
        self.term = False  # the next line names an entry
        self.entry = False  # the next line is its text

    def add(self, line):
        macro, _, rest = line.partition(" ")
        if self.verbatim and macro != ".fi":
            self.lines.append(plain(line))
        elif macro in (".nf", ".fi"):
            self.verbatim = macro == ".nf"
            self.lines += ["", "```text"] if self.verbatim else ["```", ""]
        elif macro == ".SH":
            self.lines += ["", f"{self.level}# {rest.capitalize()}", ""]
        elif macro == ".TP":
            self.term = True
        elif macro == ".PP":
            self.lines.append("")
        elif macro != ".TH" and line.startswith("."):
            raise ValueError(f"the page of {self.name} has {macro}, which docs/sphinx/commands.py does not know")
        elif macro != ".TH":
            self.add_text(plain(line))

    def add_text(self, text):
        if self.term:
            self.lines += ["", f"`{text}`"]
            self.term, self.entry = False, True
        elif self.entry:
            self.lines += [f": {self.linked(text)}", ""]
            self.entry = False
        else:
            self.lines.append(self.linked(text))

    def linked(self, text):
        """Text as it is, but for the names of other pages: of commands, and of the documentation."""
        text = re.sub(r"([\\`*_<>\[\]|$#~])", r"\\\1", text)
        text = re.sub(r"\bhypermile(?:-[\w-]+)?(?=\(1\))", lambda name: self.link_to(name.group()), text)
        return re.sub(r"\bdocs/([\w-]+)\.md\b", r"[\1](../docs/\1.md)", text)

    def link_to(self, name):
        page = self.pages.get(name)
        return f"[{name}]({page}.md{'' if page == name else '#' + name})" if page else name
