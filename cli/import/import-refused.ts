/** Why nothing is imported, in both languages; `{name}` stands for a value, which is never a secret. */
export const REFUSAL_TEXTS = {
  "origin-unknown": {
    en: "This is not a database of one-api 0.5, one-api 0.6 or new-api: {missing} is missing. It has the tables {seen}. Nothing was read of channels, because their numbers mean different companies in different programs.",
    zh: "这不是 one-api 0.5、one-api 0.6 或 new-api 的数据库：缺少 {missing}。现有的表：{seen}。渠道类型编号在不同程序中含义不同，因此未读取任何渠道。",
  },
  "origin-one-hub": {
    en: "This looks like a database of one-hub or a program made from it ({seen}), whose channel types have other numbers than those of one-api and new-api. It cannot be imported.",
    zh: "这看起来是 one-hub 或其衍生程序的数据库（{seen}），其渠道类型编号与 one-api、new-api 不同，无法导入。",
  },
  "origin-old-new-api": {
    en: "This looks like new-api before 0.8.5, or another program made from it ({seen}, but no channels.channel_info). Start a current new-api on a copy of this database once, which brings it up to date, and import that.",
    zh: "这看起来是 0.8.5 之前的 new-api 或其衍生程序（有 {seen}，但没有 channels.channel_info）。请用当前版本的 new-api 在该数据库的副本上启动一次完成升级，再导入。",
  },
  "target-not-empty": {
    en: "{target} already has data of its own ({seen}). An import needs an empty one: a new data folder or database, or one on which nobody has set up root yet.",
    zh: "{target} 已有数据（{seen}）。导入需要空的目标：新的数据目录或数据库，或尚未设置 root 密码的。",
  },
  "subscriptions-undecided": {
    en: "{count} running subscriptions have no limit, and each plan here has one. Give them one: --unlimited-subscriptions <quota of a period>, 0 to leave them out, or --subscriptions drop to leave out all that run.",
    zh: "有 {count} 个有效订阅没有额度上限，而在此每个套餐都有上限。请指定：--unlimited-subscriptions <每个周期的额度>（0 表示不导入），或用 --subscriptions drop 放弃全部有效订阅。",
  },
  "prices-missing": {
    en: "{count} offered models have no price in the source's database: {seen}. Save what the running source answers on /api/pricing or /api/option/ and add --pricing <file>, or decide: --missing-prices refuse sells them once they have a price, --missing-prices fallback charges the ratio of the source's code for unknown models.",
    zh: "有 {count} 个已提供的模型在源数据库中没有价格：{seen}。请保存运行中的来源程序 /api/pricing 或 /api/option/ 的返回内容并加上 --pricing <文件>，或指定：--missing-prices refuse 表示设置价格后才可用，--missing-prices fallback 表示按来源代码中未知模型的倍率计费。",
  },
  "prices-contradict": {
    en: "{count} models are sold at several prices under several names, and here one price holds for the name after the mapping: {seen}. Say which: --price-conflicts dearest or cheapest; the report of a dry run names them all.",
    zh: "有 {count} 个模型以不同名称按多个价格出售，而在此按映射后的名称只有一个价格：{seen}。请用 --price-conflicts dearest 或 cheapest 指定；试运行的报告会列出全部。",
  },
  "pricing-unreadable": {
    en: "The file of --pricing is no answer of /api/pricing, /api/ratio_config or /api/option/ of the source.",
    zh: "--pricing 的文件不是来源程序 /api/pricing、/api/ratio_config 或 /api/option/ 的返回内容。",
  },
} as const satisfies Readonly<Record<string, { en: string; zh: string }>>;

export type RefusalCode = keyof typeof REFUSAL_TEXTS;

/** An import that is refused, with what was seen. */
export class ImportRefused extends Error {
  override readonly name = "ImportRefused";
  constructor(
    readonly code: RefusalCode,
    readonly values: Readonly<Record<string, string | number>>,
  ) {
    super(code);
  }
}
