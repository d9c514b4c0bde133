import { describe, expect, it } from 'vitest';
import { parseCode } from '../../src/code/parse-code.ts';
import { ParserThread } from '../../src/code/parser-thread.ts';
import { samples } from './samples.ts';

/** Every symbol as `KIND container.name lines signature`. */
async function symbolsOf(path: string, text: string): Promise<readonly string[]> {
  const { symbols } = await parseCode(path, text);
  return symbols.map(({ kind, container, name, line, endLine, signature }) =>
    [kind, container === null ? name : `${container}.${name}`, `${line}-${endLine}`, signature].join(' '),
  );
}

/** The names that are used, each with its lines. */
async function usesOf(path: string, text: string): Promise<Record<string, readonly number[]>> {
  const { uses } = await parseCode(path, text);
  return Object.fromEntries(uses.map(({ name, lines }) => [name, lines]));
}

describe('TypeScript', () => {
  it('has functions, classes, methods, types and constants', async () => {
    expect(await symbolsOf('queue.ts', samples['src/queue.ts'])).toEqual([
      'INTERFACE Job 3-6 interface Job',
      'METHOD Job.run 5-5 run(): Promise<void>',
      "TYPE Outcome 8-8 type Outcome = 'done' | 'failed';",
      'ENUM Priority 10-10 enum Priority',
      'CONSTANT longestWait 12-12 const longestWait = 30_000;',
      'CLASS JobQueue 14-29 abstract class JobQueue<Item extends Job> extends EventEmitter',
      'METHOD JobQueue.add 17-20 add(job: Item): this',
      'METHOD JobQueue.drain 22-26 async drain(): Promise<Outcome>',
      'METHOD JobQueue.pick 28-28 protected abstract pick(jobs: readonly Item[]): Item',
      'FUNCTION waitFor 31-33 const waitFor = async (milliseconds: number): Promise<void> =>',
      'FUNCTION createQueue 35-37 function createQueue(): JobQueue<Job>',
    ]);
  });

  it('tells uses from definitions, and leaves out parameters and local variables', async () => {
    const uses = await usesOf('queue.ts', samples['src/queue.ts']);

    expect(uses).toMatchObject({
      EventEmitter: [1, 14],
      Job: [14, 35],
      Outcome: [22],
      longestWait: [32],
      push: [18],
      waitFor: [24],
    });
    expect(Object.keys(uses)).not.toEqual(expect.arrayContaining(['milliseconds']));
    expect(Object.keys(uses)).not.toEqual(expect.arrayContaining(['add']));
  });

  it('with JSX names the components that are used', async () => {
    const text = 'export function Page(props: PageProps) {\n  return <Layout title="a"><Chat.Box /></Layout>;\n}\n';

    expect(await symbolsOf('page.tsx', text)).toEqual(['FUNCTION Page 1-3 function Page(props: PageProps)']);
    expect(await usesOf('page.tsx', text)).toMatchObject({ PageProps: [1], Layout: [2], Box: [2] });
  });
});

describe('JavaScript', () => {
  it('has functions in every form', async () => {
    expect(await symbolsOf('store.js', samples['lib/store.js'])).toEqual([
      'CONSTANT limit 2-2 const limit = 10;',
      'CLASS Store 4-7 class Store',
      'METHOD Store.reset 5-5 reset = () =>',
      'METHOD Store.get 6-6 get(key)',
      'FUNCTION open 9-11 exports.open = function (path)',
      'FUNCTION each 12-12 function* each(store)',
    ]);
    expect(await usesOf('store.js', samples['lib/store.js'])).toMatchObject({
      readFile: [10],
      limit: [12],
      Store: [10],
    });
  });
});

describe('Python', () => {
  it('has classes, methods, functions and constants', async () => {
    expect(await symbolsOf('cache.py', samples['tools/cache.py'])).toEqual([
      'CONSTANT MAX_AGE 4-4 MAX_AGE = 900',
      'CLASS Cache 7-20 class Cache(Base)',
      'METHOD Cache.__init__ 8-9 def __init__(self, path: Path, *, age: int = MAX_AGE) -> None',
      'METHOD Cache.path 12-13 def path(self) -> Path',
      'METHOD Cache.load 15-20 async def load(self, key: str) -> bytes | None',
      'FUNCTION load.expired 16-17 def expired(entry)',
      'FUNCTION open_cache 23-24 def open_cache(path)',
    ]);
  });

  it('has uses, keyword arguments not among them', async () => {
    const uses = await usesOf('cache.py', samples['tools/cache.py']);

    expect(uses).toMatchObject({ Path: [2, 8, 12, 24], MAX_AGE: [8], Cache: [24], expired: [20], time: [1, 17] });
    expect(uses.age).toBeUndefined();
  });
});

describe('Go', () => {
  it('has structs, interfaces, methods by receiver, functions and constants', async () => {
    expect(await symbolsOf('server.go', samples['cmd/server.go'])).toEqual([
      'CONSTANT DefaultPort 8-8 DefaultPort = 4000',
      'CONSTANT name 9-9 name, version = "server", "1"',
      'CONSTANT version 9-9 name, version = "server", "1"',
      'CONSTANT ErrClosed 12-12 ErrClosed = errors.New("closed")',
      'STRUCT Server 14-17 Server struct { port int handler Handler }',
      'INTERFACE Handler 19-21 Handler interface { Handle(request string) (string, error) }',
      'METHOD Handler.Handle 20-20 Handle(request string) (string, error)',
      'TYPE Ports 23-23 Ports []int',
      'METHOD Server.Listen 25-31 func (s *Server) Listen(ports Ports) error',
      'FUNCTION New 33-35 func New[T any](handler Handler) *Server',
    ]);
    expect(await usesOf('server.go', samples['cmd/server.go'])).toMatchObject({
      ErrClosed: [28],
      DefaultPort: [34],
      Printf: [29],
      Server: [25, 33, 34],
    });
  });
});

describe('Rust', () => {
  it('has structs, enums, traits, their methods, modules, functions, macros and constants', async () => {
    expect(await symbolsOf('lib.rs', samples['crate/src/lib.rs'])).toEqual([
      'CONSTANT LIMIT 3-3 pub const LIMIT: usize = 8;',
      'CONSTANT NAME 4-4 static NAME: &str = "ring";',
      'STRUCT Ring 6-8 pub struct Ring<T>',
      'ENUM Slot 10-10 enum Slot<T>',
      'TYPE Slots 11-11 type Slots<T> = Vec<Slot<T>>;',
      'INTERFACE Drain 13-15 pub trait Drain',
      'METHOD Drain.drain 14-14 fn drain(&mut self) -> usize;',
      'METHOD Ring.push 18-21 pub fn push(&mut self, item: T)',
      'METHOD Ring.drain 25-25 fn drain(&mut self) -> usize',
      'FUNCTION ring 28-30 macro_rules! ring { () => { Ring { slots: Vec::new() } }; }',
      'MODULE inner 32-34 mod inner',
      'FUNCTION inner.helper 33-33 pub fn helper() -> usize',
    ]);
    expect(await usesOf('lib.rs', samples['crate/src/lib.rs'])).toMatchObject({
      LIMIT: [19, 33],
      Ring: [17, 24, 29],
      Drain: [24],
      HashMap: [1],
    });
  });
});

describe('any file', () => {
  it('of another language has no symbols', async () => {
    expect(await parseCode('README.md', '# function x() {}')).toEqual({ symbols: [], uses: [] });
  });

  it('with errors in it still has what can be read', async () => {
    expect(await symbolsOf('half.ts', 'function whole() { return 1; }\n}}} class Half {\n  method() {')).toEqual(
      expect.arrayContaining(['FUNCTION whole 1-1 function whole()']),
    );
    expect(await parseCode('empty.py', '')).toEqual({ symbols: [], uses: [] });
  });

  it('has lines and columns right behind letters of many bytes', async () => {
    const text = '// 🚀 ä 名前\nconst größe = "🚀"; function später(名前: string) {}\n';

    expect(await symbolsOf('letters.ts', text)).toEqual([
      'CONSTANT größe 2-2 const größe = "🚀";',
      'FUNCTION später 2-2 function später(名前: string)',
    ]);
  });
});

describe('the parser’s thread', () => {
  it('gives the same as parsing here, file by file, and starts again after it was closed', async () => {
    const thread = new ParserThread();
    const files = Object.entries(samples);

    const parsed = await Promise.all(files.map(([path, text]) => thread.prepare('a-project', { path, text })));
    await thread.close();
    const again = await thread.prepare('a-project', { path: 'src/queue.ts', text: samples['src/queue.ts'] });
    await thread.close();

    for (const [index, [path, text]] of files.entries())
      expect(parsed[index]?.parsed).toEqual(await parseCode(path, text));
    expect(again.parsed).toEqual(await parseCode('src/queue.ts', samples['src/queue.ts']));
  });
});
