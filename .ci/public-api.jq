# What a library offers, in words: a line for each public item, method, field, variant and trait implementation, as `rustdoc`'s JSON
# tells it. Implementations that a trait has for whole kinds of types are left out; those of automatic traits are told.
#
#   jq --raw-output --from-file .ci/public-api.jq target/interface/doc/lyocell.json | LC_ALL=C sort

.index as $index
| def item: $index[tostring];
  def last_name: split("::") | last;
  def list($open; $close): if length == 0 then "" else $open + join(", ") + $close end;
  def types:
    def arguments:
      if . == null then ""
      elif .parenthesized then
        .parenthesized | "(" + ([.inputs[] | types] | join(", ")) + ")" + (if .output then " -> " + (.output | types) else "" end)
      elif .angle_bracketed then
        .angle_bracketed
        | [ (.args[] | if .lifetime then .lifetime elif .type then .type | types elif .const then .const.expr else "_" end),
            (.constraints[] | .name + (.binding
              | if .equality then " = " + (.equality | if .type then .type | types else .constant.expr end)
                else ": " + ([.constraint[] | types] | join(" + ")) end)) ]
        | list("<"; ">")
      else "" end;
    def for_all: [.generic_params[]?.name] | list("for<"; "> ");
    def bound:
      if .trait_bound then .trait_bound
        | (if .modifier == "maybe" then "?" else "" end) + for_all + (.trait | (.path | last_name) + (.args | arguments))
      elif .outlives then .outlives
      else "use<" + ([.use[]? | .lifetime // .param // "_"] | join(", ")) + ">" end;
    if type == "string" then "_"
    elif .generic then .generic
    elif .primitive then .primitive | if . == "never" then "!" else . end
    elif .tuple then "(" + ([.tuple[] | types] | join(", ")) + ")"
    elif .slice then "[" + (.slice | types) + "]"
    elif .array then "[" + (.array.type | types) + "; " + .array.len + "]"
    elif .borrowed_ref then .borrowed_ref
      | "&" + (if .lifetime then .lifetime + " " else "" end) + (if .is_mutable then "mut " else "" end) + (.type | types)
    elif .raw_pointer then .raw_pointer | (if .is_mutable then "*mut " else "*const " end) + (.type | types)
    elif .resolved_path then .resolved_path | (.path | last_name) + (.args | arguments)
    elif .qualified_path then .qualified_path
      | "<" + (.self_type | types) + (if .trait and .trait.path != "" then " as " + (.trait.path | last_name) + (.trait.args | arguments) else "" end)
        + ">::" + .name + (.args | arguments)
    elif .impl_trait then "impl " + ([.impl_trait[] | bound] | join(" + "))
    elif .dyn_trait then .dyn_trait
      | "dyn " + ([(.traits[] | for_all + (.trait | (.path | last_name) + (.args | arguments))), (.lifetime // empty)] | join(" + "))
    elif .function_pointer then .function_pointer
      | for_all + (if .header.is_unsafe then "unsafe " else "" end) + "fn(" + ([.sig.inputs[][1] | types] | join(", ")) + ")"
        + (if .sig.output then " -> " + (.sig.output | types) else "" end)
    # A bound: by this way, since one of these calls the other.
    elif .trait_bound or .outlives or .use then bound
    elif .parenthesized or .angle_bracketed then arguments
    else tojson end;
  def bounds: if length == 0 then "" else ": " + ([.[] | types] | join(" + ")) end;
  def parameters:
    [ .params[]
      | .name as $name
      | .kind
      | if .lifetime then $name + (.lifetime.outlives | if length == 0 then "" else ": " + join(" + ") end)
        elif .type and .type.is_synthetic then empty
        elif .type then $name + (.type.bounds | bounds) + (if .type.default then " = " + (.type.default | types) else "" end)
        else "const " + $name + ": " + (.const.type | types) end ]
    | list("<"; ">");
  def conditions:
    [ .where_predicates[]
      | if .bound_predicate then .bound_predicate | ([.generic_params[]?.name] | list("for<"; "> ")) + (.type | types) + (.bounds | bounds)
        elif .lifetime_predicate then .lifetime_predicate | .lifetime + ": " + (.outlives | join(" + "))
        else tojson end ]
    | list(" where "; "");
  def signature($name):
    (.header | (if .is_const then "const " else "" end) + (if .is_async then "async " else "" end) + (if .is_unsafe then "unsafe " else "" end)
      + (if .abi == "Rust" then "" else "extern \(.abi | tojson) " end))
    + "fn " + $name + (.generics | parameters)
    + "(" + ([.sig.inputs[] | (if .[0] == "self" then "self: " else "" end) + (.[1] | types)] | join(", ")) + ")"
    + (if .sig.output then " -> " + (.sig.output | types) else "" end) + (.generics | conditions);
  def marks:
    (if any(.attrs[]?; tostring | contains("non_exhaustive")) then "#[non_exhaustive] " else "" end)
    + (if .deprecation then "#[deprecated] " else "" end);
  def member:
    .name as $name
    | marks
    + ( .inner
        | if .function then .function | signature($name) + (if .has_body then "" else ";" end)
          elif .assoc_type then .assoc_type | "type " + $name + (.generics | parameters) + (.bounds | bounds) + (if .type then " = " + (.type | types) else "" end)
          elif .assoc_const then "const " + $name + ": " + (.assoc_const.type | types) + (if .assoc_const.value then " = _" else "" end)
          elif .constant then "const " + $name + ": " + (.constant.type | types)
          elif .static then "static " + $name + ": " + (.static.type | types)
          elif .struct_field then "field " + $name + ": " + (.struct_field | types)
          elif .macro then "macro " + $name
          elif .type_alias then .type_alias | "type " + $name + (.generics | parameters) + " = " + (.type | types)
          else "" end );
  def fields: .. | objects | select(.fields?) | .fields[]? | values | item | member;
  def implementations($of):
    .impls[]? | item | .inner.impl | select(.blanket_impl == null)
    | if .trait == null then
        (.generics | parameters + conditions) as $when
        | (.for | types) as $for
        | .items[] | item | select(.visibility == "public") | "\($of): impl\($when) \($for): \(member)"
      else
        select(.trait.path | last_name | IN("Freeze", "StructuralPartialEq", "UnsafeUnpin") | not)
        | "\($of): impl\(.generics | parameters) \(if .is_negative then "!" else "" end)\(.trait | {resolved_path: .} | types) for \(.for | types)\(.generics | conditions)"
      end;
  def offered($path):
    . as $item
    | ($path + .name) as $of
    | .inner
    | if .module then .module.items[] | item | select(.visibility == "public") | offered($of + "::")
      elif .use then .use | .name as $called | .id | values | item | .name = $called | offered($path)
      elif .struct or .enum or .union then
        (.struct // .enum // .union) as $type
        | "\($of): \($item | marks)\(keys[0])\($type.generics | parameters + conditions)",
          ($type | implementations($of)),
          ($type.kind? // {} | fields | "\($of): \(.)"),
          ($type.variants[]? | item | "\($of): variant \(.name) \([.inner | fields] | join(", "))"),
          (if .union then $type.fields[] | item | "\($of): \(member)" else empty end)
      elif .trait then .trait
        | "\($of): \($item | marks)\(if .is_unsafe then "unsafe " else "" end)trait\(.generics | parameters)\(.bounds | bounds)\(.generics | conditions)",
          (.items[] | item | "\($of): \(member)")
      else "\($of): \($item | member)" end;
  .root | item | .name as $crate | .inner.module.items[] | item | select(.visibility == "public") | offered($crate + "::")
