// Undoes what CompactJson (src/report/compact_json.hpp) did to long arrays.

function expandTable(columns, lists) {
  const keys = Object.keys(columns);
  const values = keys.map((key) => expand(columns[key], lists));
  return values[0].map((_, row) =>
    Object.fromEntries(keys.map((key, column) => [key, values[column][row]])),
  );
}

function expand(value, lists) {
  if (Array.isArray(value)) return value.map((element) => expand(element, lists));
  if (value === null || typeof value !== "object") return value;
  if ("@table" in value) return expandTable(value["@table"], lists);
  if ("@list" in value) return lists[value["@list"]];
  if ("@rows" in value) return new Array(value["@rows"]).fill(value["@all"]);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, expand(member, lists)]),
  );
}

/** The data of this page, as report::page_data() (src/report/page_data.hpp) lists them. */
export function readData() {
  const { lists, data } = JSON.parse(document.getElementById("report-data").textContent);
  return expand(data, lists);
}
