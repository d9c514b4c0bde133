import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

/** Structured lines on standard error. What could hold a secret or a person's words is never passed to it. */
export function createLogger(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
}
