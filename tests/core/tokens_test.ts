/** The token estimate against exact counts of o200k_base, which `bench/tokens/estimator.ts` measures over far more. @module */
import assert from "node:assert/strict";
import { estimateTokens } from "../../src/core/tokens.ts";

const FIXTURES = new URL("../condense/fixtures/", import.meta.url);

/** Exact tokens of real outputs. */
const OUTPUTS: readonly [file: string, tokens: number][] = [
  ["cat_source.out", 7_672],
  ["ls_l.out", 6_057],
  ["ps_aux.out", 3_487],
  ["netstat.out", 582],
  ["log_worker.out", 24_956],
  ["log_web.out", 11_206],
  ["json_lock.out", 9_228],
  ["json_min.out", 7_464],
  ["git_diff.out", 4_425],
  ["rg_word.out", 2_821],
  ["pytest_v.out", 2_527],
  ["gcc.err", 1_392],
  ["find_all.out", 454],
];

/** Exact tokens of ten times each text. */
const LANGUAGES: readonly [language: string, tokens: number, text: string][] = [
  [
    "English",
    441,
    "The server could not reach the database, so it kept the request and will try again in a minute. Nothing was lost: every change waits in a queue on disk, and the queue is read first when the server starts.",
  ],
  [
    "German",
    471,
    "Die Verbindung zum Rechner wurde unterbrochen, weil der Schlüssel abgelaufen ist. Bitte prüfen Sie die Einstellungen, öffnen Sie das Programm erneut und wählen Sie eine größere Wartezeit. Änderungen an der Übersetzung gehen dabei nicht verloren. ",
  ],
  [
    "Chinese",
    670,
    "今天上午，市政府召开新闻发布会，介绍了本市轨道交通建设的最新进展。据介绍，三号线二期工程将于明年年底建成通车，届时沿线居民出行将更加方便。专家表示，公共交通的发展有助于减少拥堵和污染。",
  ],
  [
    "Japanese",
    470,
    "サーバーはデータベースに接続できませんでした。設定を確認してから、もう一度やり直してください。問題が続く場合は、ログを添えて管理者に連絡してください。",
  ],
  [
    "Korean",
    400,
    "서버가 데이터베이스에 연결할 수 없습니다. 네트워크 설정과 사용자 이름을 확인한 다음 다시 시도하십시오. 문제가 계속되면 관리자에게 로그를 보내 주십시오.",
  ],
];

function errorOf(text: string, exact: number): number {
  return Math.abs(estimateTokens(text) / exact - 1);
}

for (const [file, exact] of OUTPUTS) {
  Deno.test(`estimateTokens is within 10 % for ${file}`, async () => {
    const error = errorOf(await Deno.readTextFile(new URL(file, FIXTURES)), exact);
    assert.ok(error <= 0.1, `${(error * 100).toFixed(1)} %`);
  });
}

for (const [language, exact, text] of LANGUAGES) {
  Deno.test(`estimateTokens is near the exact count of ${language} prose`, () => {
    const error = errorOf(text.repeat(10), exact);
    assert.ok(error <= 0.15, `${(error * 100).toFixed(1)} %`);
  });
}

Deno.test("estimateTokens grows with the text and costs nothing for nothing", () => {
  assert.equal(estimateTokens(""), 0);
  assert.ok(estimateTokens("a") >= 1);
  const text = "const total = items.length * 12; // größer\n";
  for (let i = 1; i < 50; i++) assert.ok(estimateTokens(text.repeat(i + 1)) > estimateTokens(text.repeat(i)));
});
