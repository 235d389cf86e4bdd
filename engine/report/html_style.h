// SPDX-License-Identifier: GPL-2.0-or-later
// How the page looks. Every pair of colours has a contrast of at least 4.5 in the light, in the dark and on paper,
// which shows what is folded away on a screen; tests measure and look.
#pragma once

#include <string_view>

namespace gpuharden {

constexpr std::string_view kHtmlStyle = R"css(
:root{color-scheme:light dark;--bg:#ffffff;--fg:#1b1f24;--muted:#4d5661;--line:#c6ccd3;--panel:#f4f6f8;--link:#0a4fa3;
--critical:#8c0d1d;--high:#a63a00;--medium:#7a5600;--low:#1d5c8f;--info:#4d5661;
--fail:#a31526;--error:#8a1f7a;--unknown:#6a4c00;--waived:#385a7a;--not-evaluated:#4d5661;--pass:#1a6631;
--not-applicable:#4d5661;--on:#ffffff;--cell-good:#d5efdc;--cell-bad:#f7d6d9;--cell-mixed:#f9e7bd;--cell-none:#e8ebee}
@media screen and (prefers-color-scheme:dark){:root{--bg:#14171b;--fg:#e8ebee;--muted:#aab4bf;--line:#3b434c;--panel:#1d2228;
--link:#8cc0ff;--critical:#ff9aa5;--high:#ffb37d;--medium:#f0cd6b;--low:#94c8f2;--info:#b9c2cb;--fail:#ff9aa5;
--error:#f0a6e4;--unknown:#f0cd6b;--waived:#a8c9e8;--not-evaluated:#b9c2cb;--pass:#86d79d;--not-applicable:#b9c2cb;
--on:#14171b;--cell-good:#17402a;--cell-bad:#571f27;--cell-mixed:#4d3c10;--cell-none:#2a3037}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,sans-serif}
main{max-width:72rem;margin:0 auto;padding:1rem}h1{font-size:1.6rem;margin:.2rem 0}h2{font-size:1.25rem;margin:2rem 0 .5rem}
h3{font-size:1rem;margin:0}a{color:var(--link)}code,.place,pre{font-family:ui-monospace,monospace;font-size:.9em}
h1,h3,code,.place,.message,.reason,dd{overflow-wrap:anywhere}.muted{color:var(--muted)}
.badge{display:inline-block;border-radius:.25rem;padding:0 .45rem;color:var(--on);font-size:.85rem;font-weight:600}
)css"
                                        R"css(
.critical{background:var(--critical)}.high{background:var(--high)}.medium{background:var(--medium)}
.low{background:var(--low)}.info{background:var(--info)}.fail{background:var(--fail)}.error{background:var(--error)}
.unknown{background:var(--unknown)}.waived{background:var(--waived)}.not-evaluated{background:var(--not-evaluated)}
.pass{background:var(--pass)}.not-applicable{background:var(--not-applicable)}
.pictures{margin-top:1rem;display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:1rem}
figure{margin:0;background:var(--panel);border:1px solid var(--line);border-radius:.4rem;padding:.75rem}
figcaption{font-weight:600}svg{width:100%;height:auto}svg text{fill:var(--fg);font:14px system-ui,sans-serif}
svg .critical{fill:var(--critical)}svg .high{fill:var(--high)}svg .medium{fill:var(--medium)}svg .low{fill:var(--low)}
svg .info{fill:var(--info)}svg .fail{fill:var(--fail)}svg .error{fill:var(--error)}svg .unknown{fill:var(--unknown)}
svg .waived{fill:var(--waived)}svg .not-evaluated{fill:var(--not-evaluated)}svg .pass{fill:var(--pass)}
svg .not-applicable{fill:var(--not-applicable)}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:.4rem}table{border-collapse:collapse;width:100%}
th,td{border-bottom:1px solid var(--line);padding:.3rem .6rem;text-align:left;vertical-align:top}
td.number,th.number{text-align:right}thead th{background:var(--panel)}
.matrix{display:flex;gap:.4rem;padding:.4rem}.tactic{min-width:9.5rem;flex:1}.tactic ul{list-style:none;margin:0;padding:0}
.tactic h3{font-size:.85rem;line-height:1.25;min-height:2.5em;display:flex;align-items:end}.tactic li{border:1px solid var(--line);border-radius:.25rem;margin:.2rem 0;
padding:.15rem .35rem;font-size:.8rem;overflow-wrap:anywhere}
.good{background:var(--cell-good)}.bad{background:var(--cell-bad)}.mixed{background:var(--cell-mixed)}
.none{background:var(--cell-none)}
details{border:1px solid var(--line);border-radius:.4rem;margin:.5rem 0;background:var(--panel)}
summary{cursor:pointer;padding:.5rem .75rem}summary h3{display:inline}details>div{padding:0 .75rem .75rem}
summary:focus-visible,a:focus-visible,.scroll:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.row{border-left:4px solid var(--line);margin:.6rem 0;padding:.1rem 0 .1rem .75rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:0 .75rem;margin:.3rem 0}dt{color:var(--muted)}dd{margin:0}
@media print{:root{color-scheme:light;--bg:#fff;--fg:#000;--panel:#fff;--muted:#333}body{font-size:12px}
main{max-width:none;padding:0}.row,figure,tr,.tactic li{break-inside:avoid}h2,summary{break-after:avoid}
details::details-content{content-visibility:visible;block-size:auto}
th,td{padding:.1rem .25rem;font-size:10px}
td:not(.number),tbody th{overflow-wrap:anywhere}.scroll{overflow:visible}.matrix{flex-wrap:wrap}
.badge{border:1px solid #000;color:#000;background:none;font-size:inherit;white-space:nowrap}}
)css";

}  // namespace gpuharden
