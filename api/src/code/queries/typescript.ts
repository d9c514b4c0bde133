import { ecmascript } from './ecmascript.ts';

export const typescript = `
  ${ecmascript}
  (class_declaration name: (type_identifier) @name) @definition.class
  (abstract_class_declaration name: (type_identifier) @name) @definition.class
  (interface_declaration name: (type_identifier) @name) @definition.interface
  (type_alias_declaration name: (type_identifier) @name) @definition.type
  (enum_declaration name: (identifier) @name) @definition.enum
  (internal_module name: (identifier) @name) @definition.module
  (function_signature name: (identifier) @name) @definition.function
  (abstract_method_signature name: (property_identifier) @name) @definition.method
  (method_signature name: (property_identifier) @name) @definition.method
  (public_field_definition name: (property_identifier) @name value: [(arrow_function) (function_expression)]) @definition.method
  (program (ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name)) @definition.constant))

  (type_identifier) @reference

  (required_parameter pattern: (identifier) @local)
  (optional_parameter pattern: (identifier) @local)
  (required_parameter pattern: (rest_pattern (identifier) @local))
  (required_parameter pattern: (object_pattern (shorthand_property_identifier_pattern) @local))
  (type_parameter name: (type_identifier) @local)
`;
