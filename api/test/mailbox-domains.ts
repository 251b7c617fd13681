// Names that people know, by category, and companies that must get in:
// written down apart from the lists, so that the two check each other.

const words = (text: string) => text.trim().split(/\s+/)

export const mailboxDomains: Record<string, string[]> = {
  'mailbox services': words(`
    gmail.com googlemail.com outlook.com hotmail.com hotmail.co.uk hotmail.fr hotmail.de live.com live.nl live.co.uk msn.com yahoo.com yahoo.co.uk
    yahoo.fr yahoo.de yahoo.co.jp yahoo.com.br yahoo.co.in ymail.com rocketmail.com aol.com aim.com icloud.com me.com mac.com proton.me
    protonmail.com protonmail.ch pm.me fastmail.com fastmail.fm fastmail.net fastmail.co.uk sent.com eml.cc mailbolt.com warpmail.net 123mail.org
    messagingengine.com tuta.com tutanota.com tutanota.de tutamail.com tuta.io keemail.me posteo.de posteo.net posteo.org mailbox.org mailfence.com
    zoho.com zohomail.com zohomail.eu zoho.eu hey.com hushmail.com hush.com runbox.com startmail.com disroot.org riseup.net kolabnow.com
    countermail.com vivaldi.net mail.com email.com usa.com consultant.com engineer.com gmx.com gmx.net gmx.de gmx.at gmx.ch cock.li airmail.cc
    mailo.com netcourrier.com soverin.net ctemplar.com skiff.com onmail.com lavabit.com criptext.com inbox.com safe-mail.net`),
  'alias and relay services': words(`
    simplelogin.com simplelogin.fr simplelogin.co aleeas.com slmail.me slmails.com silomails.com 8alias.com 8shield.net dralias.com passmail.net
    passinbox.com passfwd.com anonaddy.com anonaddy.me addy.io addymail.com mozmail.com relay.firefox.com privaterelay.appleid.com duck.com 33mail.com
    erine.email burnermail.io opayq.com spamgourmet.com sneakemail.com pobox.com users.noreply.github.com googlegroups.com`),
  'throw-away addresses': words(`
    mailinator.com guerrillamail.com sharklasers.com yopmail.com temp-mail.org 10minutemail.com trashmail.com maildrop.cc getnada.com mailnesia.com
    tempmail.com dispostable.com throwawaymail.com moakt.com emailondeck.com mohmal.com mytemp.email fakeinbox.com spam4.me grr.la mailsac.com`),
  portals: words(`
    web.de freenet.de mail.de qq.com foxmail.com 163.com 126.com yeah.net sina.com sina.cn sohu.com 139.com 189.cn 188.com 21cn.com tom.com aliyun.com
    naver.com hanmail.net daum.net nate.com kakao.com mail.ru bk.ru list.ru inbox.ru internet.ru yandex.ru yandex.com ya.ru rambler.ru ukr.net i.ua
    meta.ua bigmir.net tut.by seznam.cz email.cz post.cz centrum.cz atlas.cz azet.sk zoznam.sk centrum.sk wp.pl o2.pl onet.pl op.pl interia.pl gazeta.pl
    freemail.hu citromail.hu abv.bg mail.bg libero.it virgilio.it laposte.net caramail.com voila.fr sapo.pt iol.pt clix.pt terra.es excite.com lycos.com
    walla.co.il walla.com bol.com.br uol.com.br terra.com.br ig.com.br globo.com rediffmail.com indiatimes.com sify.com inbox.lv mail.ee hot.ee in.gr
    mynet.com jubii.dk spray.se luukku.com`),
  'internet providers of Europe': words(`
    t-online.de magenta.de arcor.de vodafone.de vodafonemail.de kabelmail.de unitybox.de o2mail.de o2online.de alice-dsl.net online.de netcologne.de
    ewe.net osnanet.de mnet-online.de a1.net aon.at chello.at liwest.at bluewin.ch sunrise.ch hispeed.ch quickline.ch orange.fr wanadoo.fr free.fr sfr.fr
    neuf.fr cegetel.net club-internet.fr bbox.fr numericable.fr noos.fr alice.it tin.it tim.it tiscali.it fastwebnet.it vodafone.it wind.it teletu.it
    aruba.it telefonica.net movistar.es ono.com orange.es euskaltel.net btinternet.com btopenworld.com talktalk.net tiscali.co.uk sky.com
    virginmedia.com virgin.net ntlworld.com blueyonder.co.uk plus.com o2.co.uk orangehome.co.uk freeserve.co.uk eircom.net vodafone.ie ziggo.nl
    kpnmail.nl planet.nl hetnet.nl home.nl upcmail.nl xs4all.nl tele2.nl casema.nl caiway.nl telenet.be skynet.be proximus.be scarlet.be voo.be pt.lu
    internet.lu mail.tele.dk stofanet.dk youmail.dk online.no broadpark.no getmail.no telia.com comhem.se bredband.net tele2.se bahnhof.se kolumbus.fi
    elisanet.fi saunalahti.fi welho.com pp.inet.fi dnainternet.net simnet.is netcabo.pt meo.pt otenet.gr forthnet.gr cosmotemail.gr cytanet.com.cy
    neostrada.pl t-online.hu upcmail.hu invitel.hu volny.cz o2active.cz quick.cz t-com.sk orangemail.sk stonline.sk siol.net t-2.net amis.net telemach.net
    t-com.hr net.hr optinet.hr eunet.rs sbb.rs t-home.mk clicknet.ro rdslink.ro upcmail.ro takas.lt zebra.lt apollo.lv neti.ee ttnet.net.tr superonline.com`),
  'internet providers of Asia': words(`
    docomo.ne.jp ezweb.ne.jp au.com softbank.ne.jp i.softbank.jp ymobile.ne.jp nifty.com biglobe.ne.jp mse.biglobe.ne.jp ocn.ne.jp plala.or.jp
    so-net.ne.jp dion.ne.jp auone.jp asahi-net.or.jp jcom.home.ne.jp eonet.ne.jp hinet.net seed.net.tw pchome.com.tw netvigator.com hkbn.net i-cable.com
    singnet.com.sg starhub.net.sg pacific.net.sg streamyx.com tm.net.my unifi.my jaring.my pldtdsl.net telkom.net cbn.net.id indosat.net.id vnn.vn fpt.vn
    loxinfo.co.th truemail.co.th vsnl.com vsnl.net bsnl.in dataone.in airtelmail.in mtnl.net.in ptcl.net.pk cyber.net.pk sltnet.lk emirates.net.ae eim.ae
    netvision.net.il bezeqint.net 012.net.il zahav.net.il qatar.net.qa saudi.net.sa awalnet.net.sa cyberia.net.lb korea.com hanmir.com dreamwiz.com`),
  'internet providers of the Americas': words(`
    comcast.net verizon.net att.net sbcglobal.net bellsouth.net pacbell.net ameritech.net prodigy.net charter.net spectrum.net twc.com roadrunner.com
    austin.rr.com cox.net optonline.net optimum.net suddenlink.net frontier.com centurylink.net embarqmail.com q.com windstream.net earthlink.net
    mindspring.com netzero.net juno.com peoplepc.com wowway.com rcn.com mchsi.com cableone.net hughes.net tds.net consolidated.net ptd.net rogers.com
    sympatico.ca bell.net shaw.ca telus.net videotron.ca cogeco.ca eastlink.ca sasktel.net mts.net mymts.net teksavvy.com xplornet.com prodigy.net.mx
    infinitummail.com oi.com.br velox.com.br brturbo.com.br fibertel.com.ar arnet.com.ar speedy.com.ar vtr.net entelchile.net etb.net.co une.net.co
    emcali.net.co cantv.net adinet.com.uy vera.com.uy speedy.com.pe andinanet.net entelnet.bo racsa.co.cr cwpanama.net codetel.net.do coqui.net`),
  'internet providers of Oceania and Africa': words(`
    bigpond.com bigpond.net.au telstra.com optusnet.com.au iinet.net.au internode.on.net tpg.com.au dodo.com.au westnet.com.au adam.com.au ozemail.com.au
    iprimus.com.au netspace.net.au exetel.com.au xtra.co.nz slingshot.co.nz orcon.net.nz vodafone.co.nz clear.net.nz paradise.net.nz ihug.co.nz snap.net.nz
    telkomsa.net mweb.co.za vodamail.co.za webmail.co.za iafrica.com absamail.co.za menara.ma gnet.tn planet.tn topnet.tn link.net africaonline.co.ke
    wananchi.com intnet.mu orange.sn`),
  'alumni and societies': words(`
    alumni.stanford.edu alum.mit.edu post.harvard.edu aya.yale.edu alumni.princeton.edu alumni.upenn.edu alumni.cmu.edu caa.columbia.edu cantab.net
    oxon.org alumni.ox.ac.uk alumni.ethz.ch alumni.epfl.ch polytechnique.org centraliens.net alumni.tum.de alumni.unimelb.edu.au
    student.unimelb.edu.au alumni.nus.edu.sg alumni.ubc.ca acm.org ieee.org`),
}

export const companyDomains = words(`
  google.com microsoft.com apple.com amazon.com siemens.com bosch.com bmw.de telekom.de lufthansa.com hetzner.com ogilvy.co.uk bbc.co.uk hsbc.co.uk tesco.com
  bt.com vodafone.com virgin.com sky.uk orange.com laposte.fr iliad.fr proton.ch fastmailteam.com zohocorp.com tutao.de 37signals.com mozilla.com
  duckduckgo.com ibm.com dell.com att.com verizon.com comcast.com charter.com stanford.edu mit.edu nus.edu.sg ox.ac.uk ethz.ch toyota.co.jp
  dentsu.co.jp rakuten.co.jp navercorp.com kakaocorp.com tencent.com alibaba-inc.com telstra-agency.com.au qantas.com.au airnz.co.nz mercadolibre.com.ar
  globant.com.ar itau.com.br petrobras.com.br naspers.co.za agencia.com.ar studio.org.ua kantor.web.id media.za.com wpp.com publicis.fr thetradedesk.com
  magnite.com criteo.com acme.onmicrosoft.com agency.uk.com agency.de.com gmail-agency.example mygmail.com.example notgmail.com yahoo-marketing.example
  hotmail.agency.example outlook.agency.example alumni.example alumni.agency.example students.agency.co.uk duck.com.example xn--bcher-kva.example`)
