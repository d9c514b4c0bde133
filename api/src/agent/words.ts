/** 41200 → "41,200", the same in every locale. */
export function grouped(value: number): string {
  if (value >= 0 && value < 999.5) return String(Math.round(value));
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}

export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}
