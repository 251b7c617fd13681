/**
 * JSON text in which whole numbers that are not written in digits are texts. `122.99999999999999999999` is 123 to us
 * and may be 122 to another reader, so an id is never read from one. The text is known to be JSON.
 */
export const oddNumbersAsTexts = (text: string): string =>
  /\d[.eE]/.test(text)
    ? text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
        /^-?\d+[.eE]/.test(token) && Number.isInteger(Number(token)) ? `"${token}"` : token,
      )
    : text
