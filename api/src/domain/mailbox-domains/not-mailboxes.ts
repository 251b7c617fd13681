// What a list holds and should not. Everything else in the lists counts, with all that is below it.

export const notMailboxes: Record<string, string> = {
  /**
   * Endings under which others have their names:
   * all of Argentina's companies are under com.ar. A test finds those that are missing here.
   */
  suffixes: `com.ar net.ua org.ua nom.za web.id zp.ua kirt.er za.com msk.ru spb.ru pp.ua cloudns.asia cloudns.cc cloudns.cx ddns.net ddnsfree.com
    dns-cloud.net dnsabr.com dynu.net f5.si gleeze.com hopto.org kozow.com sytes.net 3utilities.com`,
  /** Companies and a university whose own people are there; their customers, if any, are elsewhere. */
  companies: `bt.com alibaba.com ancestry.com about.com discovery.com medscape.com law.com name.com dnsmadeeasy.com techspot.com homestead.com
    singpost.com parrot.com space.com onmilwaukee.com kansascity.com enel.net saudia.com albawaba.com afternic.com mamba.ru beliefnet.com
    feedspot.com crazydomains.com link-assistant.com compaq.com unican.es nus.edu.sg
    forwardemail.net mailclub.fr casino.com bolt.com oath.com mydomain.com detik.com`,
}
