import { alternating } from './alternating.ts';
import { answer } from './answer.ts';
import { burn } from './burn.ts';
import { busy } from './busy.ts';
import { errors } from './errors.ts';
import { failing } from './failing.ts';
import { fanOut } from './fan-out.ts';
import { long } from './long.ts';
import { loop } from './loop.ts';
import { obliging } from './obliging.ts';
import type { Simulation } from './simulation.ts';
import { slow } from './slow.ts';
import { textCalls } from './text-calls.ts';
import { think } from './think.ts';

export const simulations: readonly Simulation[] = [
  answer,
  long,
  think,
  textCalls,
  busy,
  obliging,
  loop,
  alternating,
  fanOut,
  errors,
  burn,
  slow,
  failing,
];
