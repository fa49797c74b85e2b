import {
  openedSecretsSchema,
  openSecretsBodySchema,
  type SealedSecrets,
  type SealedText,
  sealedSecretsSchema,
  USE_AS_PROXY,
  useOfChannelHeader,
  useOfChannelKey,
  useOfOption,
} from "@tollgate/contract/management/configuration";
import { isSecretOption } from "@tollgate/contract/management/option";
import { OPTION_KEYS } from "@tollgate/contract/options/options";
import type { FastifyRequest } from "fastify";
import { audit } from "../audit";
import { Failure } from "../failure";
import { type Route, route } from "../route";
import type { Services } from "../services";

const CHANNELS_AT_ONCE = 500;

/** Secrets of the configuration for a file (`tollgate export`), and back. They leave the gateway by the operator's socket alone. */
export const configurationRoutes = (services: Services): Route[] => {
  const { storage, secrets, options, operator } = services;

  /** Root's own rights are not enough: whoever stole a session must not carry all upstream keys away. */
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
    route({
      method: "GET",
      path: "/api/configuration/secrets",
      guard: "root",
      summary: "Keys of channels and secret options, sealed for a file; for the local operator alone",
      data: sealedSecretsSchema,
      async answer(context) {
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
      },
    }),
    route({
      method: "POST",
      path: "/api/configuration/open",
      guard: "root",
      summary:
        "Opens secrets that this installation sealed for a file, each for its use; for the local operator alone",
      body: openSecretsBodySchema,
      data: openedSecretsSchema,
      answer({ request, body }) {
        checkOperator(request);
        return body.sealed.map(open);
      },
    }),
  ];
};
