/** 950, 12.4k, 128k. */
export function compactNumber(value: number): string {
  if (value < 1_000) return String(Math.round(value));
  const thousands = value / 1_000;
  return `${thousands < 100 ? Number(thousands.toFixed(1)) : Math.round(thousands)}k`;
}

/** 00:41, 10:00. */
export function clockText(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${pad(Math.floor(whole / 60))}:${pad(whole % 60)}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
