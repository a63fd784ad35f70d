# What a library offers, as rustdoc's JSON tells it: a line for each public item, each inherent item of a type, and each trait that
# the type has, automatic ones and those of blanket implementations included. Names of arguments, paths and places are left out.
#
#   jq --raw-output --from-file .ci/interface.jq target/doc/rayon_core.json | sort

.index as $index
| def item: $index[tostring];
  def last_name: split("::") | last;
  # A type or a signature without what may differ: numbers of items, and names that only the inside sees.
  def bare:
    if type == "object" then
      del(.id, .span, .docs, .links, .impls, .is_stripped, .has_stripped_fields, .has_body)
      | (if has("path") and (.path | type) == "string" then .path |= last_name else . end)
      | (if has("inputs") and (.inputs | type) == "array" then .inputs |= map(if type == "array" then .[1] else . end) else . end)
      | map_values(bare)
    elif type == "array" then map(bare)
    else . end;
  def in_words: bare | tojson;
  def methods($of): .items[] | item | select(.visibility == "public")
    | "\($of): \(.name) \(.inner | in_words) \(if .deprecation then "deprecated" else "" end)";
  def implementation($of): item.inner.impl
    | if .trait == null then methods($of)
      else "\($of): \(if .is_negative then "not " else "" end)\(.trait | in_words) for \(.for | in_words)"
        + " \(if .blanket_impl then "" else .generics | in_words end)"
      end;
  def of_type: .name as $name | .inner[] as $inner
    | (($inner.impls // [])[] | implementation($name)),
      (($inner.variants // [])[] | item | "\($name): \(.name) \(.inner | in_words)"),
      "\($name) \($inner.generics | in_words) \(if .deprecation then "deprecated" else "" end)";
  def public: if .inner.use then .inner.use.id | item | public else . end;
  [.root | item | .inner.module.items[] | item | select(.visibility == "public") | public]
| .[]
| if .inner.struct or .inner.enum or .inner.union then of_type
  else "\(.name) \(.inner | in_words) \(if .deprecation then "deprecated" else "" end)" end
