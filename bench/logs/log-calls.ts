import { CHANNELS, DAY_SECONDS, modelName, RARE_MODEL, USERS, userName } from "./log-world";

/** A page or a total of the log, with its simultaneous calls. */
export interface LogPage {
  name: string;
  paths: readonly string[];
  /** Not used by any page: thousands of points, with every key separate. It has no budget. */
  isLong: boolean;
}

const frequentUser = `username=${userName(0)}`;
const rareUser = `username=${userName(USERS - 1)}`;
const frequentModel = `model_name=${modelName(0)}`;
const commonKey = "token_name=default";

/** Number of separate series in the console. */
const TOP = 6;
const CHINA = "offset_minutes=480";
const INDIA = "offset_minutes=330";

/**
 * Every kind of page and total that administrators ask of the log.
 * @param now unix seconds; the end of the ranges.
 */
export const createLogPages = (now: number): LogPage[] => {
  const month = `start_timestamp=${now - 30 * DAY_SECONDS}`;
  const cut = `start_timestamp=${now - 40 * DAY_SECONDS - 1234}&end_timestamp=${now - 10 * DAY_SECONDS - 567}`;

  /** Simultaneous calls of the dashboard (console/features/dashboard): its rankings, and the time before. */
  const dashboardCalls = (days: number, clock: string, filter = ""): string[] => {
    const range = `start_timestamp=${now - days * DAY_SECONDS}`;
    const before = `start_timestamp=${now - 2 * days * DAY_SECONDS}&end_timestamp=${now - days * DAY_SECONDS - 1}`;
    const step = days > 3 ? "day" : "hour";
    return [
      ...["model", "token", "channel", "user"].map(
        (by) => `/api/usage?${range}&step=${step}&by=${by}&top=${TOP}&${clock}${filter}`,
      ),
      `/api/usage?${before}&step=day&by=none&${clock}${filter}`,
    ];
  };

  /** The log page: its lines, their total and the picture above them. */
  const logCalls = (filter: string): string[] => [
    `/api/log/?p=0&${filter}`,
    `/api/log/stat?${filter}`,
    `/api/usage?${month}&step=day&by=none&${CHINA}&${filter}`,
  ];

  /** Simultaneous calls of the profit page (console/features/profit): its chart and its table. */
  const profitCalls = (by: string, filter = ""): string[] =>
    ["day", by].map((each) => `/api/profit?${month}&by=${each}&${CHINA}${filter}`);

  const pages: readonly [name: string, paths: string | string[]][] = [
    ["first page", "/api/log/?p=0"],
    ["second page", "/api/log/?p=1"],
    ["page 100", "/api/log/?p=100"],
    ["page 10,000", "/api/log/?p=10000"],
    ["page 900,000", "/api/log/?p=900000"],
    ["type consume", "/api/log/?p=0&type=2"],
    ["type top-up", "/api/log/?p=0&type=1"],
    ["type manage", "/api/log/?p=0&type=3"],
    ["frequent model", `/api/log/?p=0&${frequentModel}`],
    ["frequent model, page 5,000", `/api/log/?p=5000&${frequentModel}`],
    ["rare model", `/api/log/?p=0&model_name=${RARE_MODEL}`],
    ["unknown model", "/api/log/?p=0&model_name=nothing"],
    ["frequent user", `/api/log/?p=0&${frequentUser}`],
    ["frequent user, page 5,000", `/api/log/?p=5000&${frequentUser}`],
    ["rare user", `/api/log/?p=0&${rareUser}`],
    ["rare user, page 20", `/api/log/?p=20&${rareUser}`],
    ["key name that all users have", `/api/log/?p=0&${commonKey}`],
    ["same, page 1,000", `/api/log/?p=1000&${commonKey}`],
    ["channel", `/api/log/?p=0&channel=${CHANNELS}`],
    ["rare user and rare model", `/api/log/?p=0&${rareUser}&model_name=${RARE_MODEL}`],
    ["rare user, channel, key", `/api/log/?p=0&${rareUser}&channel=12&token_name=server`],
    ["a month that is cut within hours", `/api/log/?p=0&${cut}`],
    ["same, page 1,000", `/api/log/?p=1000&${cut}`],
    ["same, rare model", `/api/log/?p=0&${cut}&model_name=${RARE_MODEL}`],
    ["search by type", "/api/log/search?keyword=2"],
    ["search by text", `/api/log/search?keyword=${encodeURIComponent("模型倍率 3.00")}`],
    ["search for a text that is nowhere", "/api/log/search?keyword=nowhere"],
    ["total", "/api/log/stat"],
    ["total of a month", `/api/log/stat?${month}`],
    ["total of a cut month", `/api/log/stat?${cut}`],
    ["total of a user", `/api/log/stat?${frequentUser}`],
    ["total of a user, cut", `/api/log/stat?${cut}&${frequentUser}`],
    ["total of a key name that all have", `/api/log/stat?${commonKey}`],
    ["total of a model", `/api/log/stat?model_name=${modelName(3)}`],
    ["total of a key name and a model", `/api/log/stat?${commonKey}&${frequentModel}`],
    ["total of a key name and a channel", `/api/log/stat?${commonKey}&channel=1`],
    ["total of a user and a model", `/api/log/stat?${frequentUser}&${frequentModel}`],
    ["total of a user, model and channel", `/api/log/stat?${frequentUser}&${frequentModel}&channel=1`],
    ["total of a key name, model and channel", `/api/log/stat?${commonKey}&${frequentModel}&channel=1`],
    ["usage of a month by day", `/api/usage?${month}&step=day`],
    ["usage of a month by hour", `/api/usage?${month}&step=hour`],
    ["usage of a month by model", `/api/usage?${month}&step=day&by=model&top=${TOP}`],
    ["usage of a month by channel", `/api/usage?${month}&step=day&by=channel&top=${TOP}`],
    ["usage of a month by user", `/api/usage?${month}&step=day&by=user&top=${TOP}`],
    ["usage of a month by key", `/api/usage?${month}&step=day&by=token&top=${TOP}`],
    ["usage of a month by user, top 100", `/api/usage?${month}&step=day&by=user&top=100`],
    [
      "usage of a day by user",
      `/api/usage?start_timestamp=${now - DAY_SECONDS}&step=hour&by=user&top=${TOP}`,
    ],
    ["usage of all time by day", "/api/usage?step=day"],
    ["usage of all time by user", `/api/usage?step=day&by=user&top=${TOP}`],
    ["log page of everything", logCalls("")],
    ["log page of a key name and a model", logCalls(`${commonKey}&${frequentModel}`)],
    ["profit of a month by channel", profitCalls("channel")],
    ["profit of a month by model", profitCalls("model")],
    ["profit of a month by user", profitCalls("user")],
    ["profit of a month by channel and model", profitCalls("channel_model")],
    ["profit of a month by user, one channel", profitCalls("user", "&channel=1")],
    ["profit of a month by model, one user", profitCalls("model", `&${frequentUser}`)],
    ["profit of a month by user, one model and channel", profitCalls("user", `&${frequentModel}&channel=1`)],
    ["profit of a cut month by user", `/api/profit?${cut}&by=user&${INDIA}`],
    ["dashboard, a day", dashboardCalls(1, CHINA)],
    ["dashboard, a week", dashboardCalls(7, CHINA)],
    ["dashboard, a month", dashboardCalls(30, CHINA)],
    ["dashboard, a month, UTC+5:30", dashboardCalls(30, INDIA)],
    ["dashboard, 90 days", dashboardCalls(90, CHINA)],
    ["dashboard, a month, one user", dashboardCalls(30, CHINA, `&${frequentUser}`)],
    ["dashboard, a month, one model", dashboardCalls(30, CHINA, `&${frequentModel}`)],
    ["dashboard, a month, one channel", dashboardCalls(30, CHINA, "&channel=1")],
    ["dashboard, a month, one key name", dashboardCalls(30, CHINA, `&${commonKey}`)],
    ["same, UTC+5:30", dashboardCalls(30, INDIA, `&${commonKey}`)],
    [
      "dashboard, a month, one key name and model",
      dashboardCalls(30, CHINA, `&${commonKey}&${frequentModel}`),
    ],
    ["same, UTC+5:30", dashboardCalls(30, INDIA, `&${commonKey}&${frequentModel}`)],
    ["dashboard, a month, one key name and channel", dashboardCalls(30, CHINA, `&${commonKey}&channel=1`)],
    ["dashboard, a month, one user, UTC+5:30", dashboardCalls(30, INDIA, `&${frequentUser}`)],
    ["dashboard, a month, one model, UTC+5:30", dashboardCalls(30, INDIA, `&${frequentModel}`)],
    ["dashboard, a month, one channel, UTC+5:30", dashboardCalls(30, INDIA, "&channel=1")],
    ["dashboard, 90 days, UTC+5:30", dashboardCalls(90, INDIA)],
    ["dashboard, 90 days, one key name, UTC+5:30", dashboardCalls(90, INDIA, `&${commonKey}`)],
  ];
  const long: typeof pages = [
    ["month by user, 9,000 points", `/api/usage?${month}&step=day&by=user`],
    ["month by key, 27,000 points", `/api/usage?${month}&step=day&by=token`],
    ["day by user, 7,000 points", `/api/usage?start_timestamp=${now - DAY_SECONDS}&step=hour&by=user`],
    ["all time by user, 27,000 points", "/api/usage?step=day&by=user"],
  ];
  const toPages = (list: typeof pages, isLong: boolean): LogPage[] =>
    list.map(([name, paths]) => ({ name, paths: typeof paths === "string" ? [paths] : paths, isLong }));
  return [...toPages(pages, false), ...toPages(long, true)];
};
