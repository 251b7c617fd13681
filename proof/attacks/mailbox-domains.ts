// Whoever has a mailbox at one of these is nobody's colleague by it.
// Written down here from what people use, not from the lists that the service reads.
import { type Attack, inParallel, outcomeOf, send, unique } from './attack-context.ts'

const domains = {
  'mailbox services': `gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com rocketmail.com icloud.com me.com mac.com
    aol.com aim.com proton.me protonmail.com pm.me tutanota.com tuta.com tuta.io tutamail.com keemail.me fastmail.com fastmail.fm sent.com zoho.com zohomail.com
    zohomail.eu gmx.com gmx.net gmx.de gmx.at gmx.ch mail.com email.com usa.com inbox.com hushmail.com hush.com runbox.com mailfence.com posteo.de posteo.net
    mailbox.org disroot.org riseup.net countermail.com startmail.com kolabnow.com lycos.com excite.com mail.ru bk.ru inbox.ru list.ru yandex.com yandex.ru ya.ru
    rambler.ru qq.com 163.com 126.com yeah.net sina.com sina.cn sohu.com foxmail.com aliyun.com 139.com naver.com daum.net hanmail.net nate.com rediffmail.com
    ukr.net i.ua meta.ua seznam.cz centrum.cz atlas.cz email.cz post.cz wp.pl o2.pl onet.pl interia.pl op.pl abv.bg mail.bg dir.bg freemail.hu citromail.hu
    inbox.lv inbox.lt mail.ee walla.co.il walla.com hotmail.co.uk hotmail.fr hotmail.de hotmail.it hotmail.es live.co.uk live.fr live.nl outlook.fr outlook.de
    outlook.es yahoo.co.uk yahoo.fr yahoo.de yahoo.it yahoo.es yahoo.co.jp yahoo.co.in yahoo.com.br yahoo.ca yahoo.com.au yahoo.com.mx`,
  'telecom providers': `comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net optonline.net frontier.com
    centurylink.net windstream.net btinternet.com virginmedia.com sky.com talktalk.net ntlworld.com blueyonder.co.uk orange.fr wanadoo.fr free.fr laposte.net sfr.fr
    neuf.fr bbox.fr t-online.de web.de freenet.de arcor.de libero.it virgilio.it tiscali.it alice.it tin.it telefonica.net terra.es ono.com ziggo.nl kpnmail.nl
    planet.nl home.nl xs4all.nl telenet.be skynet.be proximus.be bluewin.ch sunrise.ch aon.at telia.com bredband.net online.no tele2.se tdcadsl.dk sapo.pt
    otenet.gr bigpond.com optusnet.com.au xtra.co.nz rogers.com shaw.ca sympatico.ca videotron.ca telus.net terra.com.br uol.com.br bol.com.br ig.com.br
    docomo.ne.jp ezweb.ne.jp softbank.ne.jp nifty.com biglobe.ne.jp so-net.ne.jp singnet.com.sg pldtdsl.net`,
  'alias and relay services': `duck.com mozmail.com privaterelay.appleid.com simplelogin.com simplelogin.co slmail.me aleeas.com anonaddy.me anonaddy.com addymail.com
    passmail.net passinbox.com spamgourmet.com erine.email 33mail.com`,
  'disposable mail':
    'mailinator.com guerrillamail.com 10minutemail.com yopmail.com temp-mail.org maildrop.cc trashmail.com sharklasers.com getnada.com mohmal.com',
} as const

/** A mailbox below one of them: aliases and relays hand out whole subdomains. */
const below = ['ada.mozmail.com', 'ada.anonaddy.com', 'ada.33mail.com', 'ada.fastmail.com', 'x.mailinator.com']

export const mailboxDomains: Attack = async function* ({ urls }) {
  const groups = Object.entries(domains).map(([name, text]) => [name, text.split(/\s+/)] as const)
  for (const [name, list] of [...groups, ['subdomains of them', below] as const]) {
    const outcomes = await inParallel(list, 8, async (domain, i) => {
      const slug = `mole-${unique()}`
      const body = { email: `${slug}@${domain}`, name: 'Mole', organizationName: 'Moles', organizationSlug: slug, provider: 'magic-link' }
      const answer = await send(`${urls[i % urls.length]}/v1/signup`, { method: 'POST', body })
      return { domain, outcome: outcomeOf(answer) }
    })
    const taken = outcomes.filter(({ outcome }) => outcome !== '400 public_mailbox')
    yield {
      tried: `signing up with one of ${list.length} ${name}`,
      found: taken.length
        ? `${taken.length} taken for a work domain: ${taken
            .map(({ domain, outcome }) => `${domain} (${outcome})`)
            .slice(0, 12)
            .join(', ')}`
        : 'each refused as a public mailbox',
      good: !taken.length,
    }
  }
}
