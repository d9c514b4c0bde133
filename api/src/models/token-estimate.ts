import { estimateTokenCount } from 'tokenx';

const lowerCase = 1;
const digit = 2;
const other = 4;
const space = 8;
const punctuation = 16;
const foreign = 32;

/** Dashes, typographic quotes and dots are in English text as well, and are estimated like letters. */
const plainBeyond = { first: 0x2010, last: 0x2027 };
/** Where one word is not ASCII, the next is likely not to be either, and asking takes a moment each time. */
const askedAtOnce = 200;

/** What each character is, as the estimate sees it; one bit each, so that a word tells what it is made of. */
const kinds = Uint8Array.from({ length: plainBeyond.last + 1 }, (_, code) => kindOf(code));

/**
 * As `tokenx` estimates, to the token, in one pass over what is ASCII; it is asked itself about words that are not. All
 * that is said and found is measured, and measuring would otherwise be most of what a turn costs.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  // A piece runs from one space to the next; what was counted of it is forgotten when it proves to be foreign.
  let piece = 0;
  let beforePiece = 0;
  let start = 0;
  while (start < text.length) {
    let made = kindAt(text, start);
    let end = start + 1;
    if (made === space || made === punctuation) while (end < text.length && kindAt(text, end) === made) end += 1;
    else
      for (; end < text.length && made < foreign; end += 1) {
        const kind = kindAt(text, end);
        if (kind === space || kind === punctuation) break;
        made |= kind;
      }
    if (made >= foreign) {
      // Space beyond ASCII joins with the space before it, and what both are together is not known here.
      if (/\s/.test(text.charAt(piece))) return estimateTokenCount(text);
      end = endOfPiece(text, end + askedAtOnce);
      tokens = beforePiece + estimateTokenCount(text.slice(piece, end));
    } else tokens += tokensOf(text, start, end, made);
    if (made >= foreign || made === space) {
      piece = end;
      beforePiece = tokens;
    }
    start = end;
  }
  return tokens;
}

function tokensOf(text: string, start: number, end: number, made: number): number {
  const length = end - start;
  if (made === space) return spaceTokens(text, start, end);
  if (made === digit) return Math.ceil(length / 3);
  if (length <= 3 || (length <= 8 && made === lowerCase)) return 1;
  return Math.ceil(length / (made === punctuation ? 6 : 7));
}

/** Blank lines and indentation count; the end of a line only where no punctuation stands before it. */
function spaceTokens(text: string, start: number, end: number): number {
  let line = start;
  while (line < end && text.charCodeAt(line) !== 10) line += 1;
  if (line === end) return 0;
  if (line + 1 < end) return 1;
  return start > 0 && kindAt(text, start - 1) === punctuation ? 0 : 1;
}

/** Behind the next space of ASCII. */
function endOfPiece(text: string, start: number): number {
  let end = Math.min(start, text.length);
  while (end < text.length && kindAt(text, end) !== space) end += 1;
  while (end < text.length && kindAt(text, end) === space) end += 1;
  return end;
}

function kindAt(text: string, place: number): number {
  return kinds[text.charCodeAt(place)] ?? foreign;
}

function kindOf(code: number): number {
  if (code >= 128) return code >= plainBeyond.first ? other : foreign;
  const character = String.fromCharCode(code);
  if (/\s/.test(character)) return space;
  if (/[.,!?;(){}[\]<>:/\\|@#$%^&*+=`~_"-]/.test(character)) return punctuation;
  if (/\d/.test(character)) return digit;
  return /[a-z]/.test(character) ? lowerCase : other;
}
