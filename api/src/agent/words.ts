/** 41200 → "41,200", the same in every locale. */
export function grouped(value: number): string {
  const digits = String(Math.round(value));
  if (value >= 0 && value < 999.5) return digits;
  const first = value < 0 ? 1 : 0;
  let text = digits;
  for (let place = digits.length - 3; place > first; place -= 3) text = `${text.slice(0, place)},${text.slice(place)}`;
  return text;
}

export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}
