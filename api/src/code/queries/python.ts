export const python = `
  (class_definition name: (identifier) @name) @definition.class
  (function_definition name: (identifier) @name) @definition.function
  (type_alias_statement left: (type (identifier) @name)) @definition.type
  (module (expression_statement (assignment left: (identifier) @name) @definition.constant))

  (identifier) @use
  (attribute attribute: (identifier) @reference)
  (keyword_argument name: (identifier) @ignore)

  (parameters (identifier) @local)
  (parameters (default_parameter name: (identifier) @local))
  (parameters (typed_parameter (identifier) @local))
  (parameters (typed_default_parameter name: (identifier) @local))
  (parameters (list_splat_pattern (identifier) @local))
  (parameters (dictionary_splat_pattern (identifier) @local))
  (lambda_parameters (identifier) @local)
  (assignment left: (identifier) @local)
  (for_statement left: (identifier) @local)
  (for_in_clause left: (identifier) @local)
  (as_pattern_target (identifier) @local)
`;
