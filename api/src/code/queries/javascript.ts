import { ecmascript } from './ecmascript.ts';

export const javascript = `
  ${ecmascript}
  (class_declaration name: (identifier) @name) @definition.class
  (field_definition property: (property_identifier) @name value: [(arrow_function) (function_expression)]) @definition.method

  (formal_parameters (identifier) @local)
  (formal_parameters (assignment_pattern left: (identifier) @local))
  (formal_parameters (rest_pattern (identifier) @local))
  (formal_parameters (object_pattern (shorthand_property_identifier_pattern) @local))
`;
