/** What is said of channels (remarks.ts). */
export const CHANNEL_REMARKS = {
  "channel-type-none": {
    en: "{name}: its type {type} ({typeName}) has no equal here",
    zh: "{name}：类型 {type}（{typeName}）在此没有对应",
  },
  "channel-type-unknown": {
    en: "{name}: its type {type} is not known; forks use such numbers for different companies",
    zh: "{name}：未知的类型 {type}，不同的分支用它表示不同的公司",
  },
  "channel-address-missing": {
    en: "{name}: type {typeName} needs an address, and it has none",
    zh: "{name}：类型 {typeName} 需要地址，但没有填写",
  },
  "channel-address-invalid": {
    en: "{name}: its base address is no address of HTTP, or carries a name and a password",
    zh: "{name}：地址不是 HTTP 地址，或其中带有用户名和密码",
  },
  "channel-address-whole": {
    en: "{name}: its address has a form that cannot be said here (type {typeName})",
    zh: "{name}：地址的形式在此无法表达（类型 {typeName}）",
  },
  "channel-address-changed": {
    en: "{name}: type {typeName} becomes type {type}, its address {address}",
    zh: "{name}：类型 {typeName} 变为类型 {type}，地址为 {address}",
  },
  "channel-system-prompt": {
    en: "{name}: its system prompt took the place of the client's; here it comes before it",
    zh: "{name}：原来的系统提示词会替换客户端的；在此改为放在其前面",
  },
  "channel-key-missing": {
    en: "{name}: it has no key, and is switched off",
    zh: "{name}：没有密钥，已停用",
  },
  "channel-key-malformed": {
    en: "{name}: {count} of its keys have not the form that {typeName} needs here ({forms}); it is switched off",
    zh: "{name}：有 {count} 个密钥不符合 {typeName} 在此需要的格式（{forms}），已停用",
  },
  "channel-keys-left-out": {
    en: "{name}: {count} of its keys were switched off by hand and are left out",
    zh: "{name}：有 {count} 个密钥已被手动停用，未导入",
  },
  "channel-keys-dead": {
    en: "{name}: {count} of its keys were out of use and still are",
    zh: "{name}：有 {count} 个密钥此前已失效，仍保持失效",
  },
  "channel-proxy-unsupported": {
    en: "{name}: its proxy is none of HTTP (socks5?); it is switched off, because it must not be reached without one",
    zh: "{name}：代理不是 HTTP 代理（可能是 socks5）；因不得绕过代理直连，已停用",
  },
  "channel-region-invalid": {
    en: "{name}: its region cannot be one; it is switched off",
    zh: "{name}：区域无效，已停用",
  },
  "channel-regions": {
    en: "{name}: it has regions for single models, of which only the usual one is taken over: {region}",
    zh: "{name}：为个别模型设置了区域，只导入默认区域：{region}",
  },
  "channel-models-missing": {
    en: "{name}: it offers no model, and is switched off",
    zh: "{name}：没有模型，已停用",
  },
  "channel-mapping-invalid": {
    en: "{name}: its model mapping is no JSON object of names; it is switched off",
    zh: "{name}：模型映射不是由名称组成的 JSON 对象，已停用",
  },
  "channel-mapping-ignored": {
    en: "{name}: its model mapping is no JSON object of names; it was ignored, and is empty now",
    zh: "{name}：模型映射不是由名称组成的 JSON 对象；原本即被忽略，现已清空",
  },
  "channel-mapping-chain": {
    en: "{name}: its model mapping led over several steps, and is written out in one",
    zh: "{name}：模型映射为多级映射，已展开为一级",
  },
  "channel-names-mapped": {
    en: "{name}: {count} models get a mapping to the vendor's own names, which {typeName} had in its code: {models}",
    zh: "{name}：为 {count} 个模型添加了到供应商名称的映射（{typeName} 的代码中原有）：{models}",
  },
  "channel-weight": {
    en: "{name}: weight {before} becomes {after}, for the same share of requests",
    zh: "{name}：权重 {before} 变为 {after}，以保持相同的请求份额",
  },
  "channel-number": {
    en: "{name}: {column} {before} becomes {after}",
    zh: "{name}：{column} 由 {before} 变为 {after}",
  },
  "channel-name": {
    en: "{name}: its name is missing, too long, or holds what nobody sees, and was changed",
    zh: "{name}：名称缺失、过长或含不可见字符，已修改",
  },
  "channel-status": {
    en: "{name}: its status {status} is not known; it is switched off",
    zh: "{name}：未知的状态 {status}，已停用",
  },
  "channel-auto-ban": {
    en: "{name}: it was never switched off by itself; here the option AutomaticDisableChannelEnabled decides for all channels",
    zh: "{name}：原设置为不自动停用；在此由选项 AutomaticDisableChannelEnabled 对所有渠道统一决定",
  },
  "channel-not-taken": {
    en: "{name}: not taken over: {columns}",
    zh: "{name}：未导入：{columns}",
  },
} as const satisfies Readonly<Record<string, { en: string; zh: string }>>;
