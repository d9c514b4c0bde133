import { describe, expect, it } from 'vitest';
import { safeReturnPath } from './session.ts';

describe('safeReturnPath', () => {
  it('keeps a path of this console, with its query', () => {
    expect(safeReturnPath('/admin/users?search=ada')).toBe('/admin/users?search=ada');
  });

  it('goes nowhere else', () => {
    for (const from of [
      undefined,
      '',
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/sign-in?from=/',
    ]) {
      expect(safeReturnPath(from)).toBe('/');
    }
  });
});
