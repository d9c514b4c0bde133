/**
 * A model whose answers are quotations, and whose tool calls are always native. A call that stands in what it quotes is
 * somebody else's text: it must neither be made nor be taken out.
 */
export interface QuotingModel {
  readonly quotes: true;
}

export function isQuoting(model: object): boolean {
  return 'quotes' in model && model.quotes === true;
}
