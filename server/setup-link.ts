/** Addresses that a server listens on and nobody can open. */
const EVERYWHERE = /^http:\/\/(0\.0\.0\.0|\[::\]):/;

/**
 * What the terminal says while root has no password: the link that sets it. The code stands behind the "#", which browsers
 * send to nobody, so that no log of a proxy has it.
 * @param url where the server listens.
 */
export const describeSetupLink = (url: string, code: string): string => {
  const isEverywhere = EVERYWHERE.test(url);
  const base = url.replace(EVERYWHERE, "http://127.0.0.1:");
  return [
    "",
    "root 尚未设置密码。请在 24 小时内打开以下链接设置，链接只能使用一次：",
    "root has no password yet. Open this link within 24 hours to set it; it works once:",
    "",
    `    ${base}/setup#${code}`,
    "",
    ...(isEverywhere
      ? [
          `从其他机器打开时，请将 ${base.slice(7)} 换成本机的域名或地址（容器则为其发布的端口）。`,
          `From another machine, put this one's name or address (and a container's published port) in place of ${base.slice(7)}.`,
          "",
        ]
      : []),
  ].join("\n");
};
