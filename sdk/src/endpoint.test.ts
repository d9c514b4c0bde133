import { describe, expect, it } from 'vitest';
import { resolveEndpoint } from './endpoint.ts';

describe('resolveEndpoint', () => {
  it.each([
    ['http://host:4000', 'http://host:4000/graphql'],
    ['http://host:4000/', 'http://host:4000/graphql'],
    ['http://host:4000/graphql', 'http://host:4000/graphql'],
    ['http://host:4000/graphql/', 'http://host:4000/graphql'],
    ['https://host/oracle', 'https://host/oracle/graphql'],
    ['https://host/oracle/graphql#part', 'https://host/oracle/graphql'],
  ])('reads %s as %s', (address, endpoint) => {
    expect(resolveEndpoint(address).http).toBe(endpoint);
  });

  it('uses a secure socket exactly when the address is secure', () => {
    expect(resolveEndpoint('http://host').socket).toBe('ws://host/graphql');
    expect(resolveEndpoint('https://host').socket).toBe('wss://host/graphql');
  });

  it('refuses what is not a web address', () => {
    expect(() => resolveEndpoint('localhost')).toThrow(TypeError);
    expect(() => resolveEndpoint('file:///tmp')).toThrow('http or https');
  });

  it('refuses a password in the address without repeating it', () => {
    expect(() => resolveEndpoint('http://me:secret@host')).toThrow(/^(?!.*secret).*use token$/);
  });
});
