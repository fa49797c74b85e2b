import { useState } from "react";
import { AdminsOnly } from "../../components/admins-only";
import { AnnouncementRows } from "../../components/announcement-rows";
import { BodyNotice } from "../../components/body-notice";
import { Button } from "../../components/button";
import { ClampedText } from "../../components/clamped-text";
import ConnectGuide from "../../components/connect-guide";
import { Dialog } from "../../components/dialog";
import { DismissibleNotice } from "../../components/dismissible-notice";
import { FailedState } from "../../components/failed-state";
import { LossesNotice } from "../../components/losses-notice";
import { ReasonDialog } from "../../components/reason-dialog";
import { SiteContent } from "../../components/site-content";
import { TermsLinks } from "../../components/terms-links";
import { UnbrokenDates } from "../../components/unbroken-dates";
import { notify } from "../../lib/notify";
import { useMistakes } from "../../lib/use-mistakes";
import type { Specimen } from "./specimen";

const nothing = () => undefined;

const MARKDOWN = "## 维护\n\n周六 02:00–04:00 *可能* 中断：\n\n- 请重试\n- 账单不受影响\n\n`curl` 不受影响。";

const Toasts = () => (
  <div className="flex flex-wrap gap-2">
    <Button onClick={() => notify.success("已保存。")}>success</Button>
    <Button onClick={() => notify.info("已复制。")}>info</Button>
    <Button onClick={() => notify.warning("余额不足 1 美元。")}>warning</Button>
    <Button onClick={() => notify.error("无法保存。", "HTTP 500")}>error</Button>
    <Button onClick={() => notify.undoable("已禁用渠道。", nothing)}>undoable</Button>
  </div>
);

const Windows = () => {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <Button onClick={() => setOpen(true)}>打开</Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="绑定邮箱地址">
        <p>窗口中的文字。</p>
      </Dialog>
    </div>
  );
};

const Reasons = () => {
  const [isOpen, setOpen] = useState(false);
  const refused = useMistakes();
  return (
    <div>
      <Button onClick={() => setOpen(true)}>打开</Button>
      {isOpen && (
        <ReasonDialog
          title="退款"
          text="收回未使用的额度。"
          confirm="退款"
          isBusy={false}
          refused={refused}
          onClose={() => setOpen(false)}
          onConfirm={() => setOpen(false)}
        />
      )}
    </div>
  );
};

export const NOTICES: readonly Specimen[] = [
  { name: "toaster", Shown: Toasts },
  { name: "dialog", Shown: Windows },
  { name: "reason-dialog", Shown: Reasons },
  {
    name: "dismissible-notice",
    Shown: () => <DismissibleNotice name="gallery">一条可以关闭的提示。</DismissibleNotice>,
  },
  { name: "body-notice", Shown: () => <BodyNotice text="本站会保存请求内容。" /> },
  { name: "losses-notice", Shown: () => <LossesNotice>下面是页面的其余部分。</LossesNotice> },
  { name: "admins-only", Shown: () => <AdminsOnly title="只有管理员可以查看利润" /> },
  { name: "failed-state", Shown: () => <FailedState error={new Error("网关没有应答")} onRetry={nothing} /> },
  { name: "clamped-text", Shown: () => <ClampedText text={"一段很长的文字。".repeat(60)} /> },
  {
    name: "unbroken-dates",
    Shown: () => (
      <p className="w-60">
        <UnbrokenDates text="2026-11-24 00:00 至 2026-11-30 08:18，对比 2026-11-17 00:00 至 2026-11-23 08:18" />
      </p>
    ),
  },
  { name: "terms-links", Shown: () => <TermsLinks className="underline" /> },
  { name: "site-content", Shown: () => <SiteContent title="关于" source={MARKDOWN} /> },
  {
    name: "announcement-rows",
    Shown: () => (
      <AnnouncementRows
        rows={[
          {
            id: 1,
            title: "线路维护",
            body: MARKDOWN,
            level: "warning",
            isPinned: true,
            isRead: false,
            hasEnded: false,
            date: "2026-11-28 18:00",
          },
          {
            id: 2,
            title: "欢迎使用",
            body: MARKDOWN,
            level: "info",
            isPinned: false,
            isRead: true,
            hasEnded: true,
            date: "2026-10-09 08:40",
          },
        ]}
        onRead={nothing}
      />
    ),
  },
  {
    name: "connect-guide",
    Shown: () => (
      <ConnectGuide
        connection={{ address: "https://gateway.example.com", key: "sk-example", model: "gpt-5.4-mini" }}
        templates={[{ name: "我的程序", kind: "text", template: "key: {key}\nurl: {address}" }]}
      />
    ),
  },
];
