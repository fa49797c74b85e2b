export const PARTS = [
  "cpu",
  "memory",
  "bodies",
  "query",
  "start",
  "size",
  "hostile",
  "logs",
  "logs-postgres",
  "lists",
  "lists-postgres",
  "nodes",
] as const;
export type PartName = (typeof PARTS)[number];

export interface Settings {
  /** In the order in which they are measured. */
  parts: PartName[];
  /** Short rounds and small tables: to see that it works, not to publish. */
  isQuick: boolean;
  /** A budget that does not hold fails the run. */
  isStrict: boolean;
  /** Lines of the log for `query` and `logs`, when not the usual number. */
  rows: number | undefined;
  /** The folder where `logs` keeps its data; undefined for a new one that is deleted. */
  folder: string | undefined;
  /** The same for `query`. */
  queryFolder: string | undefined;
  /** The same for `logs-postgres`. */
  postgresFolder: string | undefined;
  /** The same for `lists` and `lists-postgres`. */
  listsFolder: string | undefined;
  postgresListsFolder: string | undefined;
  /** Programs of other versions of Node under which `memory` measures the product as well. */
  nodes: string[];
}

export const USAGE = `npm run bench -- [part …] [option …]

parts, all of them when none is named:
  cpu            CPU per request, added latency, memory beside a bare relay, nginx and a peer
  memory         resident memory at idle and under small requests
  bodies         1,500 connections with bodies of 150 KB
  query          latency beside the heaviest query of a log of 5 million lines
  start          cold start to the first answer
  size           start and edits of an installation of 10,000 channels and 200,000 keys
  hostile        how long one request of the worst kind keeps all others waiting
  logs           every page and total of a log of 10 million lines
  logs-postgres  the same on PostgreSQL
  lists          every list of 10,000 channels, 50,000 users and a million log lines
  lists-postgres the same on PostgreSQL
  nodes          one node on PostgreSQL beside SQLite, two and three nodes, an account that runs empty, limits in Redis

options:
  --quick            short rounds, tenths of the lines
  --strict           status 1 when a budget does not hold
  --rows N           lines of the log, for query, logs, lists and the same on PostgreSQL
  --folder F         keeps the filled data folder of logs, and uses it again
  --query-folder F   the same for query
  --postgres-folder F  the same for logs-postgres; run as root, a folder that others may enter
  --lists-folder F, --postgres-lists-folder F  the same for lists and lists-postgres
  --node PROGRAM     another Node under which memory measures the product as well; may be given more than once`;

const isPart = (word: string): word is PartName => PARTS.some((part) => part === word);

/**
 * Parses the command line.
 * @throws Error with the usage for an unknown word.
 */
export const readSettings = (words: readonly string[]): Settings => {
  const settings: Settings = {
    parts: [],
    isQuick: false,
    isStrict: false,
    rows: undefined,
    folder: undefined,
    queryFolder: undefined,
    postgresFolder: undefined,
    listsFolder: undefined,
    postgresListsFolder: undefined,
    nodes: [],
  };
  const rest = [...words];
  const refuse = (problem: string): never => {
    throw new Error(`${problem}\n\n${USAGE}`);
  };
  const valueAfter = (option: string): string => rest.shift() ?? refuse(`${option} needs a value.`);
  const named = new Set<PartName>();
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (isPart(word)) named.add(word);
    else if (word === "--quick") settings.isQuick = true;
    else if (word === "--strict") settings.isStrict = true;
    else if (word === "--folder") settings.folder = valueAfter(word);
    else if (word === "--query-folder") settings.queryFolder = valueAfter(word);
    else if (word === "--postgres-folder") settings.postgresFolder = valueAfter(word);
    else if (word === "--lists-folder") settings.listsFolder = valueAfter(word);
    else if (word === "--postgres-lists-folder") settings.postgresListsFolder = valueAfter(word);
    else if (word === "--node") settings.nodes.push(valueAfter(word));
    else if (word === "--rows") {
      const rows = Number(valueAfter(word));
      settings.rows = Number.isSafeInteger(rows) && rows > 0 ? rows : refuse("--rows needs a whole number.");
    } else refuse(`Unknown: ${word}`);
  }
  settings.parts = PARTS.filter((part) => named.size === 0 || named.has(part));
  return settings;
};
