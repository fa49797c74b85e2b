import {
  type SealedText,
  USE_AS_PROXY,
  useOfChannelHeader,
  useOfChannelKey,
  useOfOption,
} from "@tollgate/contract/api/configuration";
import type { OperatorApi } from "../operator/operator-api";
import { headerSources } from "./file-overrides";
import { findChanges } from "./find-changes";
import { findPlanChanges } from "./plan-changes";
import type { PlannedChange, Sides } from "./planned-change";
import type { ConfigurationFile } from "./read-file";
import { type OpenSealed, openSecrets, readCurrentSecrets, readCurrentState } from "./read-gateway";
import { findUserChanges } from "./user-changes";

const sealedAs = (source: unknown, use: string): SealedText[] =>
  typeof source === "object" && source !== null && "sealed" in source
    ? [{ text: String(source.sealed), use }]
    : [];

/** Every sealed text of a file, with the use that the file makes of it. */
const sealedIn = ({ configuration }: ConfigurationFile): SealedText[] => [
  ...[...configuration.options].flatMap(([key, source]) => sealedAs(source, useOfOption(key))),
  ...(configuration.channels ?? []).flatMap((channel) => [
    ...sealedAs(channel.key, useOfChannelKey({ ...channel, baseUrl: channel.base_url })),
    ...sealedAs(channel.proxy, USE_AS_PROXY),
    ...headerSources(channel.overrides).flatMap(([name, source]) =>
      sealedAs(source, useOfChannelHeader({ ...channel, baseUrl: channel.base_url }, name)),
    ),
  ]),
];

const revealWith =
  (file: ConfigurationFile, environment: NodeJS.ProcessEnv, open: OpenSealed): Sides["reveal"] =>
  (source, path, use) => {
    if (typeof source === "string") return source;
    if ("env" in source)
      return environment[source.env] ?? file.refuse(path, `the environment has no variable ${source.env}`);
    return (
      open({ text: source.sealed, use }) ??
      file.refuse(
        path,
        "this was not sealed by this installation, or not for this place: a key opens at the type, base_url and other that it was exported with, a secret option for that option alone. Write the secret itself, or take the line out",
      )
    );
  };

/**
 * Returns the changes that make a gateway equal to a file.
 * @param prune also removes objects that the file does not name.
 * @throws FileFault with the line that the gateway would refuse. @throws OperatorRefused
 */
export const compareWithGateway = async (
  api: OperatorApi,
  file: ConfigurationFile,
  environment: NodeJS.ProcessEnv,
  prune: boolean,
): Promise<PlannedChange[]> => {
  const current = await readCurrentState(api, file.configuration.users !== undefined);
  const secrets = await readCurrentSecrets(api);
  const channels = current.channels.map((channel) => {
    const { key = "", proxy = "", headers = {} } = secrets.channels.get(channel.id) ?? {};
    const address = { ...channel, baseUrl: channel.base_url };
    return {
      id: channel.id,
      key: { text: key, use: useOfChannelKey(address) },
      proxy: { text: proxy, use: USE_AS_PROXY },
      headers: Object.entries(headers).map(([name, text]) => ({
        name,
        sealed: { text, use: useOfChannelHeader(address, name) },
      })),
    };
  });
  const options = [...secrets.options].map(([key, text]) => ({
    key,
    sealed: { text, use: useOfOption(key) },
  }));
  const open = await openSecrets(api, [
    ...channels.flatMap(({ key, proxy, headers }) => [key, proxy, ...headers.map(({ sealed }) => sealed)]),
    ...options.map(({ sealed }) => sealed),
    ...sealedIn(file),
  ]);
  const sides = {
    file,
    current,
    channelSecrets: new Map(
      channels.map(({ id, key, proxy, headers }) => [
        id,
        {
          key: open(key) ?? "",
          proxy: open(proxy) ?? "",
          headers: Object.fromEntries(headers.map(({ name, sealed }) => [name, open(sealed) ?? ""])),
        },
      ]),
    ),
    optionSecrets: new Map(options.map(({ key, sealed }) => [key, open(sealed) ?? ""])),
    reveal: revealWith(file, environment, open),
    prune,
  };
  return [...findChanges(sides), ...findPlanChanges(sides), ...findUserChanges(sides)];
};
