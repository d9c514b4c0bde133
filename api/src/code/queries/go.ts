export const go = `
  (function_declaration name: (identifier) @name) @definition.function
  (method_declaration
    receiver: (parameter_list (parameter_declaration type: [
      (type_identifier) @container
      (pointer_type (type_identifier) @container)
      (generic_type type: (type_identifier) @container)
      (pointer_type (generic_type type: (type_identifier) @container))
    ]))
    name: (field_identifier) @name) @definition.method
  (method_elem name: (field_identifier) @name) @definition.method
  (type_spec name: (type_identifier) @name type: (struct_type)) @definition.struct
  (type_spec name: (type_identifier) @name type: (interface_type)) @definition.interface
  (type_spec name: (type_identifier) @name) @definition.type
  (type_alias name: (type_identifier) @name) @definition.type
  (source_file (const_declaration (const_spec (identifier) @name) @definition.constant))
  (source_file (var_declaration (var_spec (identifier) @name) @definition.constant))
  (source_file (var_declaration (var_spec_list (var_spec (identifier) @name) @definition.constant)))

  (identifier) @use
  (type_identifier) @reference
  (selector_expression field: (field_identifier) @reference)

  (parameter_declaration (identifier) @local)
  (variadic_parameter_declaration name: (identifier) @local)
  (short_var_declaration left: (expression_list (identifier) @local))
  (range_clause left: (expression_list (identifier) @local))
  (var_spec (identifier) @local)
  (type_parameter_declaration (identifier) @local)
`;
