/** Small files as people write them, in every language whose symbols are found. */
export const samples = {
  'src/queue.ts': `import { EventEmitter } from 'node:events';

export interface Job {
  readonly name: string;
  run(): Promise<void>;
}

export type Outcome = 'done' | 'failed';

export enum Priority { Low, High }

export const longestWait = 30_000;

export abstract class JobQueue<Item extends Job> extends EventEmitter {
  readonly #jobs: Item[] = [];

  add(job: Item): this {
    this.#jobs.push(job);
    return this;
  }

  async drain(): Promise<Outcome> {
    const job = this.pick(this.#jobs);
    await waitFor(10);
    return job.run().then(() => 'done', () => 'failed');
  }

  protected abstract pick(jobs: readonly Item[]): Item;
}

const waitFor = async (milliseconds: number): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, Math.min(milliseconds, longestWait)));
};

export function createQueue(): JobQueue<Job> {
  throw new Error('No retry policy was given.');
}
`,
  'lib/store.js': `const { readFile } = require('node:fs/promises');
const limit = 10;

class Store {
  reset = () => this.clear();
  get(key) { return this.items[key]; }
}

exports.open = function (path) {
  return readFile(path).then((text) => new Store(text));
};
function* each(store) { for (let n = 0; n < limit; n++) yield store.get(n); }
`,
  'tools/cache.py': `import time
from pathlib import Path

MAX_AGE = 900


class Cache(Base):
    def __init__(self, path: Path, *, age: int = MAX_AGE) -> None:
        self.entries = {}

    @property
    def path(self) -> Path:
        return self._path

    async def load(self, key: str) -> bytes | None:
        def expired(entry):
            return entry.at < time.time()

        found = self.entries.get(key)
        return None if expired(found) else found


def open_cache(path):
    return Cache(Path(path), age=60)
`,
  'cmd/server.go': `package main

import (
	"errors"
	"fmt"
)

const DefaultPort = 4000
const name, version = "server", "1"

var (
	ErrClosed = errors.New("closed")
)
type Server struct {
	port    int
	handler Handler
}

type Handler interface {
	Handle(request string) (string, error)
}

type Ports []int

func (s *Server) Listen(ports Ports) error {
	for _, port := range ports {
		if port == 0 {
			return ErrClosed }
		fmt.Printf("listening on %d", port) }
	return nil
}

func New[T any](handler Handler) *Server {
	return &Server{port: DefaultPort, handler: handler}
}
`,
  'crate/src/lib.rs': `use std::collections::HashMap;

pub const LIMIT: usize = 8;
static NAME: &str = "ring";

pub struct Ring<T> {
    slots: Slots<T>,
}

enum Slot<T> { Empty, Full(T) }
type Slots<T> = Vec<Slot<T>>;

pub trait Drain {
    fn drain(&mut self) -> usize;
}

impl<T> Ring<T> {
    pub fn push(&mut self, item: T) {
        if self.slots.len() < LIMIT {
            self.slots.push(Slot::Full(item)) }
    }
}

impl<T> Drain for Ring<T> {
    fn drain(&mut self) -> usize { inner::helper() }
}

macro_rules! ring {
    () => { Ring { slots: Vec::new() } };
}

mod inner {
    pub fn helper() -> usize { crate::LIMIT }
}
`,
} as const;
