import type { OperatorApi } from "../operator/operator-api";
import type { SecretSource } from "./configuration";
import { type PlannedChange, planChanges } from "./plan-changes";
import { planUsers } from "./plan-users";
import type { ConfigurationFile } from "./read-file";
import { openSecrets, readCurrentSecrets, readCurrentState } from "./read-gateway";

/** Every sealed text of a file. */
const sealedIn = ({ configuration }: ConfigurationFile): string[] => {
  const sources = [
    ...configuration.options.values(),
    ...(configuration.channels ?? []).flatMap(({ key, proxy }) => [key, proxy]),
  ];
  return sources.flatMap((source) =>
    typeof source === "object" && source !== null && "sealed" in source ? [String(source.sealed)] : [],
  );
};

const revealWith =
  (
    file: ConfigurationFile,
    environment: NodeJS.ProcessEnv,
    opened: ReadonlyMap<string, string | undefined>,
  ) =>
  (source: SecretSource, path: readonly (string | number)[]): string => {
    if (typeof source === "string") return source;
    if ("env" in source)
      return environment[source.env] ?? file.refuse(path, `the environment has no variable ${source.env}`);
    return (
      opened.get(source.sealed) ??
      file.refuse(
        path,
        "this was not sealed by this installation: write the secret itself, or take the line out",
      )
    );
  };

/**
 * What it takes to make a gateway what a file says.
 * @param prune also takes away what the file does not name.
 * @throws FileFault with the line of what the gateway would refuse. @throws OperatorRefused
 */
export const planForGateway = async (
  api: OperatorApi,
  file: ConfigurationFile,
  environment: NodeJS.ProcessEnv,
  prune: boolean,
): Promise<PlannedChange[]> => {
  const current = await readCurrentState(api, file.configuration.users !== undefined);
  const secrets = await readCurrentSecrets(api);
  const now = [...secrets.channels.values()].flatMap(({ key, proxy }) => [key, proxy]);
  const opened = await openSecrets(api, [...now, ...secrets.options.values(), ...sealedIn(file)]);
  const textOf = (sealed: string): string => opened.get(sealed) ?? "";
  const sides = {
    file,
    current,
    channelSecrets: new Map(
      [...secrets.channels].map(([id, { key, proxy }]) => [id, { key: textOf(key), proxy: textOf(proxy) }]),
    ),
    optionSecrets: new Map([...secrets.options].map(([key, value]) => [key, textOf(value)])),
    reveal: revealWith(file, environment, opened),
    prune,
  };
  return [...planChanges(sides), ...planUsers(sides)];
};
