/** Latin with accents, Greek, and Latin and Greek extended. */
const ranges = [
  [0xc0, 0x24f],
  [0x370, 0x3ff],
  [0x1e00, 0x1fff],
] as const;

/** Letters that Unicode does not take apart, though people who search do. */
const others = { ø: 'o', Ø: 'o', ł: 'l', Ł: 'l', đ: 'd', Đ: 'd', ı: 'i', ё: 'е', Ё: 'е' };

/**
 * Letters with accents and the letters they are found by, one for one, so that a place in the folded text is the same
 * place in the text itself.
 */
export function foldedLetters(): { readonly from: string; readonly to: string } {
  const pairs = Object.entries(others);
  for (const [first, last] of ranges) {
    for (let code = first; code <= last; code += 1) {
      const letter = String.fromCharCode(code);
      const plain = letter
        .normalize('NFD')
        .replaceAll(/[\u0300-\u036f]/g, '')
        .toLowerCase();
      if (plain.length === 1 && plain !== letter && /\p{L}/u.test(plain) && !(letter in others))
        pairs.push([letter, plain]);
    }
  }
  return { from: pairs.map(([letter]) => letter).join(''), to: pairs.map(([, plain]) => plain).join('') };
}
