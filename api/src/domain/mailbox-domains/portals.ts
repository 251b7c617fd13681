// News and search sites that give their readers a mailbox. By country.

export const portals: Record<string, string> = {
  china: `qq.com vip.qq.com foxmail.com 163.com 163.net vip.163.com 126.com vip.126.com 188.com yeah.net sina.com sina.cn
    sina.com.cn vip.sina.com sohu.com vip.sohu.com tom.com vip.tom.com 139.com 189.cn wo.cn wo.com.cn 21cn.com 21cn.net 263.net aliyun.com
    china.com eyou.com sogou.com 2980.com citiz.net`,
  korea: `naver.com hanmail.net daum.net kakao.com nate.com empas.com empal.com dreamwiz.com korea.com hanmir.com paran.com freechal.com
    chol.com chollian.net hitel.net unitel.co.kr netian.com netsgo.com nownuri.net hanafos.com lycos.co.kr intizen.com`,
  japan: 'infoseek.jp infoseek.to goo.jp goo.ne.jp mail.goo.ne.jp excite.co.jp livedoor.com myjcom.jp',
  taiwan: 'pchome.com.tw yam.com kimo.com url.com.tw',
  hongKong: 'sinaman.com hongkong.com',
  india: 'rediffmail.com rediff.com indiatimes.com sify.com in.com india.com sancharnet.in mantraonline.com',
  southEastAsia: 'sanook.com thaimail.com chaiyo.com hunsa.com plasa.com telkom.net bolehmail.com yehey.com edsamail.com.ph',
  russia: `mail.ru bk.ru list.ru inbox.ru internet.ru xmail.ru ya.ru yandex.mail narod.ru rambler.ru lenta.ru autorambler.ru myrambler.ru
    ro.ru rambler.ua pochta.ru pochta.com qip.ru fromru.com front.ru hotbox.ru krovatka.su land.ru mail15.com mail333.com pisem.net
    pop3.ru rbcmail.ru smtp.ru aport.ru km.ru nm.ru nextmail.ru chat.ru zmail.ru e-mail.ru mail2000.ru newmail.ru orc.ru`,
  ukraine: `ukr.net i.ua ua.fm email.ua 3g.ua mail.ua meta.ua bigmir.net online.ua ukrpost.net ukrpost.ua e-mail.ua box.ua search.ua
    index.ua`,
  belarus: 'tut.by mail.by open.by',
  kazakhstan: 'mail.kz',
  czechia: 'seznam.cz email.cz post.cz spoluzaci.cz stream.cz firmy.cz centrum.cz atlas.cz volny.cz sweb.cz',
  slovakia: 'azet.sk zoznam.sk centrum.sk post.sk pobox.sk atlas.sk mail.sk inmail.sk',
  poland: `wp.pl o2.pl tlen.pl go2.pl prokonto.pl onet.pl onet.eu onet.com.pl poczta.onet.pl poczta.onet.eu op.pl vp.pl autograf.pl
    buziaczek.pl amorki.pl spoko.pl opoczta.pl interia.pl interia.eu interia.com poczta.fm intmail.pl adresik.net vip.interia.pl gazeta.pl
    poczta.gazeta.pl int.pl zzz.pl 1gb.pl`,
  hungary: 'freemail.hu citromail.hu vipmail.hu indamail.hu mailbox.hu fibermail.hu lajt.hu euromail.hu',
  bulgaria: 'abv.bg gyuvetch.bg mail.bg dir.bg gbg.bg',
  romania: 'personal.ro home.ro k.ro email.ro mail.md',
  baltics: 'inbox.lv inbox.lt inbox.ee mail.lv one.lv apollo.lv one.lt mail.lt takas.lt mail.ee hot.ee online.ee',
  balkans: 'net.hr inet.hr email.si najmail.com freemail.mk mail.rs krstarica.com eunet.rs ptt.rs bih.net.ba',
  greece: 'in.gr pathfinder.gr freemail.gr mailbox.gr yahoo.gr vip.gr',
  turkey: 'mynet.com e-kolay.net superonline.com ttmail.com turk.net hotmail.com.tr mail.com.tr e-mail.com.tr',
  italy: `libero.it virgilio.it inwind.it iol.it blu.it giallo.it email.it supereva.it katamail.com jumpy.it interfree.it caltanet.it
    mail.it fastpiu.it poste.it`,
  france: `laposte.net caramail.com caramail.fr voila.fr ifrance.com i-france.com multimania.com netcourrier.com lemel.fr francemel.fr
    mail.fr emailasso.net aliceadsl.fr`,
  germany: `web.de email.de freenet.de freenetmail.de freemail.de mail.de epost.de directbox.com firemail.de firemail.eu smart-mail.de
    uni.de lycos.de arcor.de onlinehome.de online.de maildienst.de addcom.de abwesend.de alpenjodel.de`,
  austriaAndSwitzerland: 'sms.at uboot.com kstp.at mail.ch bluemail.ch freesurf.ch smile.ch',
  benelux: 'zeelandnet.nl freeler.nl wish.nl hccnet.nl live.nl freemail.nl zonnet.nl advalvas.be freegates.be perso.be',
  nordics: `jubii.dk jubiipost.dk ofir.dk sol.dk forum.dk mail.dk spray.se passagen.se home.se luukku.com suomi24.fi iobox.fi netti.fi
    jippii.fi frisurf.no start.no sol.no online.no visir.is`,
  iberia:
    'terra.es ya.com hispavista.com mixmail.com latinmail.com sapo.pt iol.pt clix.pt mail.pt portugalmail.pt portugalmail.com aeiou.pt',
  ireland: 'ireland.com oceanfree.net iol.ie',
  israel: 'walla.co.il walla.com nana.co.il nana10.co.il mail.co.il',
  arabWorld: 'maktoob.com gawab.com ayna.com masrawy.com arabia.com islamonline.net',
  africa: 'webmail.co.za mighty.co.za ananzi.co.za mailbox.co.za executive.co.za africamail.com safrica.com',
  brazil: `uol.com.br bol.com.br terra.com.br ig.com.br superig.com.br globo.com globomail.com r7.com oi.com.br zipmail.com.br pop.com.br
    click21.com.br brturbo.com.br ibest.com.br mailbr.com.br brfree.com.br veloxmail.com.br itelefonica.com.br`,
  latinAmerica: `terra.com terra.cl terra.com.mx terra.com.ar terra.com.pe terra.com.co terra.com.ve latinmail.com starmedia.com ubbi.com
    uol.com.ar uol.com.mx uol.com.co uol.com.ve ciudad.com.ar montevideo.com.uy adinet.com.uy esmas.com correo.com.uy`,
  unitedStates: `excite.com lycos.com juno.com netzero.net netzero.com iwon.com go.com altavista.com hotbot.com angelfire.com geocities.com
    xoom.com prodigy.net compuserve.com collegeclub.com blackplanet.com`,
  canada: 'canada.com sympatico.ca',
  oceania: 'ozemail.com.au start.com.au hello.net.au looksmart.com.au coolkiwi.com xtra.co.nz',
}
