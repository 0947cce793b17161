"""docs/json.md lists the schemas that the source knows, and no others, and links to pages that name them."""

import os
import re
import unittest

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCHEMA = re.compile(r"hypermile/[a-z-]+/\d+")


def read(*path):
    with open(os.path.join(SOURCE, *path), encoding="utf-8") as file:
        return file.read()


def schemas_of_the_source():
    found = set()
    for folder, _, names in os.walk(os.path.join(SOURCE, "src")):
        for name in names:
            if name.endswith((".cpp", ".hpp")):
                found.update(SCHEMA.findall(read(folder, name)))
    return found


class Schemas(unittest.TestCase):
    def test_are_those_of_the_source(self):
        self.assertEqual(sorted(set(SCHEMA.findall(read("docs/json.md")))), sorted(schemas_of_the_source()))

    def test_are_named_on_the_pages_that_describe_them(self):
        rows = [line for line in read("docs/json.md").splitlines() if line.startswith("| `hypermile/")]
        self.assertGreater(len(rows), 20)
        for row in rows:
            page = re.search(r"\]\(([\w-]+\.md)", row.split("|")[3]).group(1)
            for schema in SCHEMA.findall(row):
                with self.subTest(schema=schema, page=page):
                    self.assertTrue(schema in read("docs", page), f"docs/{page} does not name it")


if __name__ == "__main__":
    unittest.main(verbosity=2)
