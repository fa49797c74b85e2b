/** What is said of options (remarks.ts). */
export const OPTION_REMARKS = {
  "option-no-equal": {
    en: "it has no equal here",
    zh: "在此没有对应",
  },
  "option-unknown": {
    en: "it is not known",
    zh: "未知的选项",
  },
  "option-refused": {
    en: "its value is refused here ({reason})",
    zh: "其值在此不被接受（{reason}）",
  },
  "option-unreadable": {
    en: "its value is no JSON object",
    zh: "其值不是 JSON 对象",
  },
  "option-number-unusable": {
    en: "{count} of its values are no numbers from 0 up that can be a price, and are left out: {names}",
    zh: "有 {count} 个值不是可作为价格的非负数，未导入：{names}",
  },
  "option-secret": {
    en: "it is taken over sealed",
    zh: "已加密导入",
  },
  "option-limit-changed": {
    en: "becomes {rpm} requests a minute for each user of {groups} (GroupLimits)",
    zh: "变为 {groups} 中每个用户每分钟 {rpm} 次请求（GroupLimits）",
  },
  "option-limit-duration": {
    en: "it counts over {minutes} minutes; here limits count over one, and it is left out",
    zh: "它按 {minutes} 分钟计数，在此限额按 1 分钟计数，未导入",
  },
  "group-added": {
    en: "the group {group} had no ratio of its own and gets 1, which is what it was charged",
    zh: "分组 {group} 没有倍率，设为 1，与原计费相同",
  },
  "cache-billing-off": {
    en: "cached tokens cost what any input costs, as they did; the option CacheBillingEnabled changes that",
    zh: "缓存的 token 仍按普通输入计费；可用选项 CacheBillingEnabled 更改",
  },
  "price-per-channel-type": {
    en: "{name}: a ratio for one channel type cannot be said here",
    zh: "{name}：在此无法为单个渠道类型设置倍率",
  },
  "price-image-ratio": {
    en: "{name}: images cost {ratio} times its input, which cannot be said here",
    zh: "{name}：图片 token 为输入的 {ratio} 倍，在此无法表达",
  },
  "price-expression": {
    en: "{name}: its billing expression has a form that cannot be said here; set its price by hand",
    zh: "{name}：计费表达式的形式在此无法表达，请手动设置价格",
  },
  "price-too-large": {
    en: "{name}: its price is larger than a price can be here",
    zh: "{name}：价格超出了在此可设置的上限",
  },
  "price-from-catalogue": {
    en: "{name}: the source's database has no price for it; the catalogue's holds",
    zh: "{name}：源数据库中没有价格，采用价目表中的价格",
  },
  "price-missing": {
    en: "{name}: it is offered, and the source's database has no price for it (--pricing, --missing-prices)",
    zh: "{name}：已提供，但源数据库中没有价格（--pricing、--missing-prices）",
  },
  "price-fallback": {
    en: "models without a price cost the ratio {ratio}, as they did in the source",
    zh: "没有价格的模型按倍率 {ratio} 计费，与来源相同",
  },
  "plans-enabled": {
    en: "plans are switched on, because the source has some",
    zh: "来源中有套餐，因此已启用套餐",
  },
  "price-conflict": {
    en: "{name}: it is sold at different prices under the names {aliases}; here the name after the mapping is priced, and one of them was taken (--price-conflicts)",
    zh: "{name}：以不同名称（{aliases}）按不同价格出售；在此按映射后的名称计价，只采用其中一个（--price-conflicts）",
  },
  "prices-too-many": {
    en: "the prices of {count} models that no channel offers are left out, because all together are too long for an option",
    zh: "未导入 {count} 个没有渠道提供的模型的价格，因为全部价格超出了选项的长度",
  },
} as const satisfies Readonly<Record<string, { en: string; zh: string }>>;
