import {
  openSealedTexts,
  type SealedSecrets,
  type SealedText,
  sealSecrets,
  USE_AS_PROXY,
  useOfChannelHeader,
  useOfChannelKey,
  useOfOption,
} from "@tollgate/contract/api/configuration";
import { isSecretOption } from "@tollgate/contract/options/option-rights";
import { OPTION_KEYS } from "@tollgate/contract/options/options";
import type { FastifyRequest } from "fastify";
import { audit } from "../audit";
import { Failure } from "../failure";
import { implement, type Route } from "../route";
import type { Services } from "../services";

const CHANNELS_AT_ONCE = 500;

/** Secrets of the configuration for a file (`tollgate export`), and back. They leave the gateway by the operator's socket alone. */
export const configurationRoutes = (services: Services): Route[] => {
  const { storage, secrets, options, operator } = services;

  /** Root's own rights are not enough: the thief of a session must not carry all upstream keys away. */
  const checkOperator = ({ raw }: FastifyRequest): void => {
    if (!operator.makes(raw)) throw new Failure("role-too-low");
  };

  const seal = (text: string, use: string): string => (text === "" ? "" : secrets.sealForFile(text, use));

  const open = ({ text, use }: SealedText): string | null => {
    try {
      return secrets.openFromFile(text, use);
    } catch {
      return null;
    }
  };

  return [
    implement(sealSecrets, async (context) => {
      checkOperator(context.request);
      const found: SealedSecrets = { channels: [], options: [] };
      for (let after = 0; ; ) {
        const page = await storage.read.channels.after(after, CHANNELS_AT_ONCE);
        for (const { channel, key, proxy, requestChanges } of page)
          found.channels.push({
            id: channel.id,
            key: seal(key, useOfChannelKey(channel)),
            proxy: seal(proxy, USE_AS_PROXY),
            headers: Object.fromEntries(
              Object.entries(requestChanges?.headers ?? {}).map(([name, value]) => [
                name,
                seal(value, useOfChannelHeader(channel, name)),
              ]),
            ),
          });
        const last = page.at(-1);
        if (!last) break;
        after = last.channel.id;
      }
      for (const key of OPTION_KEYS) {
        if (isSecretOption(key))
          found.options.push({ key, value: seal(options.text(key), useOfOption(key)) });
      }
      await audit(services, context, "configuration.export-secrets", "");
      return found;
    }),
    implement(openSealedTexts, ({ request, body }) => {
      checkOperator(request);
      return body.sealed.map(open);
    }),
  ];
};
