/** The characters of ASCII that have a name in HTML, by their names. */
export const namedCharacters: ReadonlyMap<string, number> = new Map(
  `amp & lt < gt > quot " apos ' sol / bsol \\ plus + equals = period . comma , colon : semi ; excl ! quest ? num # dollar $ percnt %
  ast * midast * lpar ( rpar ) lsqb [ lbrack [ rsqb ] rbrack ] lcub { lbrace { rcub } rbrace } lowbar _ underbar _ verbar | vert |
  verticalline | commat @ hat ^ grave \` diacriticalgrave \` tilde ~ dash - hyphen - minus -`
    .trim()
    .split(/\s+/)
    .flatMap((name, i, all) => (i % 2 ? [] : [[name, all[i + 1]!.charCodeAt(0)] as [string, number]]))
    .concat([
      ['tab', 9],
      ['newline', 10],
      ['nbsp', 32],
    ]),
)
