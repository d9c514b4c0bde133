import type {} from '../../api/test/kit/global-setup.ts';
import { type Kit, startKit } from '../../api/test/kit/kit.ts';
import { createOracleClient, type OracleClient } from '../src/index.ts';
import { makeOversight, type Oversight } from '../src/oversight.ts';

/** A server, an administrator who oversees it, and Ada, who asks. */
export interface OversightKit extends Kit {
  /** Ada's. */
  readonly client: OracleClient;
  /** The administrator's. */
  readonly oversight: Oversight;
}

export async function startOversightKit(): Promise<OversightKit> {
  const kit = await startKit({ defaultModel: 'simulated/answer' });
  const { token } = await kit.newUser({ name: 'Ada' });
  const client = createOracleClient({ url: kit.url, token });
  const admin = createOracleClient({ url: kit.url, token: kit.admin.token });
  return {
    ...kit,
    client,
    oversight: makeOversight(admin),
    async stop() {
      client.close();
      admin.close();
      await kit.stop();
    },
  };
}
