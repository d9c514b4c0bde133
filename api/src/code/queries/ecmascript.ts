/**
 * What JavaScript and TypeScript have in common. See `parse-code.ts` for what the captures mean.
 */
export const ecmascript = `
  (function_declaration name: (identifier) @name) @definition.function
  (generator_function_declaration name: (identifier) @name) @definition.function
  (method_definition name: (property_identifier) @name) @definition.method
  (method_definition name: (private_property_identifier) @name) @definition.method

  (lexical_declaration (variable_declarator
    name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)])) @definition.function
  (variable_declaration (variable_declarator
    name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)])) @definition.function
  (assignment_expression
    left: (member_expression property: (property_identifier) @name)
    right: [(arrow_function) (function_expression) (generator_function)]) @definition.function

  (program (lexical_declaration (variable_declarator name: (identifier) @name)) @definition.constant)
  (program (variable_declaration (variable_declarator name: (identifier) @name)) @definition.constant)
  (program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name)) @definition.constant))
  (program (export_statement (variable_declaration (variable_declarator name: (identifier) @name)) @definition.constant))

  (identifier) @use
  (shorthand_property_identifier) @use
  (member_expression property: (property_identifier) @reference)
  (member_expression property: (private_property_identifier) @reference)

  (variable_declarator name: (identifier) @local)
  (arrow_function parameter: (identifier) @local)
  (catch_clause parameter: (identifier) @local)
  (for_in_statement left: (identifier) @local)
`;
