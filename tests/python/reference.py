"""The reference in docs/python.md, made of the docstrings of the package.

    reference.py           prints it
    reference.py --write   writes it into the page, with PYTHONPATH=BUILD/python
"""

import inspect
import os
import re
import sys

import hypermile

BEGIN = "<!-- The rest of this page is made of the docstrings: tests/python/reference.py --write -->\n"


def public_members(owner):
    """Names and objects that users see of a class, those of its base classes left out."""
    inherited = {name for base in owner.__mro__[1:] if base.__module__.startswith("hypermile") for name in vars(base)}
    for name, member in vars(owner).items():
        if not name.startswith("_") and name not in inherited and name not in getattr(owner, "__dataclass_fields__", {}):
            yield name, member


def function_of(member):
    return member.__func__ if isinstance(member, (classmethod, staticmethod)) else member


def heading(name, member):
    function = function_of(member)
    if isinstance(function, property):
        return name
    signature = inspect.signature(function)
    parameters = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in signature.parameters.values() if parameter.name not in ("self", "cls")]
    return f"{name}{signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty)}"


def markdown(text):
    """A docstring, whose arguments and attributes become a list."""
    lines = []
    for line in inspect.cleandoc(text).splitlines():
        item = re.match(r"    (\w+): (.*)", line)
        if line in ("Args:", "Attributes:"):
            lines += [line, ""]
        elif item:
            lines.append(f"- `{item.group(1)}`: {item.group(2)}")
        elif line.startswith("        "):
            lines.append(f"  {line.strip()}")
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def reference():
    parts = [BEGIN, "## Reference\n"]
    for name in hypermile.__all__:
        thing = getattr(hypermile, name)
        made_by_its_users = inspect.isclass(thing) and name in ("Error", "NodeType", "Workload")
        head = heading(name, thing) if not inspect.isclass(thing) or made_by_its_users else name
        parts.append(f"### `hypermile.{head}`\n\n{markdown(thing.__doc__)}")
        if inspect.isclass(thing):
            for member_name, member in public_members(thing):
                what = heading(f"{name}.{member_name}" if isinstance(member, classmethod) else f".{member_name}", member)
                parts.append(f"#### `{what}`\n\n{markdown(function_of(member).__doc__)}")
    return "\n".join(parts)


def split_page():
    """The path of the page, what is written by hand, and the rest."""
    page = os.path.join(os.path.dirname(__file__), "../../docs/python.md")
    with open(page) as file:
        by_hand, begin, rest = file.read().partition(BEGIN)
    return page, by_hand, begin + rest


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        page, by_hand, _ = split_page()
        with open(page, "w") as file:
            file.write(by_hand + reference())
    else:
        print(reference())
