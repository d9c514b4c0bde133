export const rust = `
  (function_item name: (identifier) @name) @definition.function
  (function_signature_item name: (identifier) @name) @definition.function
  (macro_definition name: (identifier) @name) @definition.function
  (struct_item name: (type_identifier) @name) @definition.struct
  (union_item name: (type_identifier) @name) @definition.struct
  (enum_item name: (type_identifier) @name) @definition.enum
  (trait_item name: (type_identifier) @name) @definition.interface
  (type_item name: (type_identifier) @name) @definition.type
  (mod_item name: (identifier) @name) @definition.module
  (const_item name: (identifier) @name) @definition.constant
  (static_item name: (identifier) @name) @definition.constant

  (impl_item type: [(type_identifier) @scope.name (generic_type type: (type_identifier) @scope.name)]) @scope

  (identifier) @use
  (type_identifier) @reference
  (scoped_identifier name: (identifier) @reference)
  (field_expression field: (field_identifier) @reference)

  (parameter pattern: (identifier) @local)
  (let_declaration pattern: (identifier) @local)
  (closure_parameters (identifier) @local)
  (for_expression pattern: (identifier) @local)
  (type_parameter name: (type_identifier) @local)
`;
