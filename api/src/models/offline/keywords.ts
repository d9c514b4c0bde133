const mostWords = 12;

/** Words that say how something is asked, not what is asked about. */
const common = new Set(
  (
    'a about above after all also am an and any are as at be because been before but by can could did do does doing ' +
    'each explain few find for from further get give had has have having he her here him his how i if in into is it ' +
    'its know let like list make many may me might more most much my need no nor not note notes of off on once only or ' +
    'other our out over own please said same say says see she should show so some such summarise summarize tell than ' +
    'that the their them then there these they thing things this those through to too under until up us use used vault ' +
    'very want was way we were what when where which while who whom whose why will with work works would you your'
  ).split(' '),
);

/** What to search for, in the order asked. When every word is a common one, they are all there is. */
export function keywords(question: string): readonly string[] {
  const words = [...new Set(question.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_'’-]*/gu) ?? [])].map((word) =>
    word.replace(/['’]s$|['’-]+$/u, ''),
  );
  const telling = words.filter((word) => word.length > 1 && !common.has(word));
  return (telling.length > 0 ? telling : words).slice(0, mostWords).map((word) => word.slice(0, 40));
}

/** Names from code: with an underscore, a dot or a capital inside, or called like a function. */
const codeName = /\b(?:[a-z]+_[a-z0-9_]+|[A-Za-z]\w*\.[a-z]\w+|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|\w+(?=\(\)))/g;
const codeWords =
  /\b(?:function|method|class|interface|struct|implement(?:ed|s|ation)?|source code|codebase|in the code)\b/i;

/** The names of code that a question mentions, the most telling first. */
export function codeNames(question: string): readonly string[] {
  const names = [...question.matchAll(codeName)].map(([name]) => name);
  return [...new Set(names)].filter((name) => !/\.(?:md|com|org|io)$/.test(name)).slice(0, 2);
}

export function asksAboutCode(question: string): boolean {
  return codeNames(question).length > 0 || codeWords.test(question);
}
