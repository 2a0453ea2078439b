// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import "../utils/Forgeries.sol" as Forgeries;
import {Story} from "../utils/Story.sol";

/// @dev One validator wants to be a quorum alone. The same signature can be written in several
/// ways, and what nobody signed can be made to recover to nobody: each such entry would be a second
/// vote.
///
/// A vote has one form. Signers ascend strictly, so none counts twice; 65 bytes are ECDSA with a
/// low s and v of 27 or 28; more are a contract's, and an account without code is none; and the
/// zero address is nobody's. Any bad entry refuses the whole verdict, before any money moves.
contract MalformedSignaturesTest is Story {
    uint256 private taskId;
    bytes32 private digest;

    function setUp() public override {
        super.setUp();
        taskId = _disputed(agent);
        digest = escrow.verdictDigest(taskId, true);
    }

    /// @dev Nothing but the form was wrong: the honest verdict on the same task pays.
    modifier thenPays() {
        _;
        escrow.approveSubmission(taskId, _signed(digest, QUORUM));
        _assertReleased();
    }

    function test_SameSignerTwice() external thenPays {
        bytes[] memory verdict = _signed(digest, 2);
        verdict[1] = verdict[0];
        _refusesOrder(verdict, 1);
        verdict = _signed(digest, 3);
        verdict[2] = verdict[0];
        _refusesOrder(verdict, 2);
        verdict[2] = verdict[1];
        _refusesOrder(verdict, 2);
    }

    function test_Unordered() external thenPays {
        bytes[] memory verdict = _signed(digest, 2);
        (verdict[0], verdict[1]) = (verdict[1], verdict[0]);
        _refusesOrder(verdict, 1);
        verdict = _signed(digest, 3);
        (verdict[1], verdict[2]) = (verdict[2], verdict[1]);
        _refusesOrder(verdict, 2);
    }

    /// @dev The twin with high s is valid on the curve and the same signer's.
    function test_TwinOfASignature() external thenPays {
        _refusesForm(Forgeries.highS);
    }

    function test_TooShort() external thenPays {
        _refusesForm(Forgeries.nothing);
        _refusesForm(Forgeries.firstByte);
        _refusesForm(Forgeries.withoutV);
        _refusesForm(Forgeries.compact);
    }

    function test_OtherRecoveryIds() external thenPays {
        _refusesForm(Forgeries.withParity);
        _refusesForm(Forgeries.withV29);
        _refusesForm(Forgeries.withV255);
    }

    /// @dev What recovers to the zero address, or is said to be signed by it.
    function test_SignedByNobody() external thenPays {
        _refusesForm(Forgeries.zeros);
        _refusesForm(Forgeries.zeroR);
        _refusesForm(Forgeries.zeroS);
        _refusesForm(Forgeries.asZeroAddresses);
    }

    /// @dev A longer entry asks a contract: an account without code cannot answer, and the
    /// identity precompile answers by repeating the question, which begins with the magic value.
    function test_SignedByNoContract() external thenPays {
        _refusesForm(Forgeries.trailingByte);
        _refusesForm(Forgeries.asContracts);
        _refusesForm(Forgeries.asIdentitys);
    }

    /// @dev Every form in the place of the first and of the second vote, all else being
    /// right.
    function _refusesForm(function(bytes memory, address) internal pure returns (bytes memory) form)
        private
    {
        for (uint256 place = 0; place < QUORUM; ++place) {
            bytes[] memory verdict = _signed(digest, QUORUM);
            verdict[place] = form(verdict[place], validators[place]);
            _refusesVerdict(
                verdict, abi.encodeWithSelector(IEscrow.InvalidSignature.selector, place)
            );
        }
    }

    function _refusesOrder(bytes[] memory verdict, uint256 index) private {
        _refusesVerdict(
            verdict, abi.encodeWithSelector(IEscrow.SignersNotAscending.selector, index)
        );
    }

    function _refusesVerdict(bytes[] memory verdict, bytes memory reason) private {
        _refuses(
            validators[0], abi.encodeCall(IEscrow.approveSubmission, (taskId, verdict)), reason
        );
        _assertBound();
    }
}
